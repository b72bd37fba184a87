/** The page's words: every text comes from one catalogue, a file for each language. */

/**
 * Signs that turn the direction of a text, and letters from right to left. A fact with one of them is isolated (Unicode
 * TR9, 2.4), so that it cannot turn the sentence around it.
 */
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * @typedef {{lang: string, dir: string, page: Record<string, string | Record<string, string>>}} Catalogue
 *
 * @typedef {((key: string, more?: Record<string, unknown>) => string) & {
 *   any: (items: string[]) => string, all: (items: string[]) => string, code: (text: string) => string}} Words
 */

/**
 * @param {Catalogue} catalogue
 * @param {Record<string, unknown>} facts known everywhere on the page: host, path
 * @returns {Words} the phrase of a key, its `{facts}` filled in; where it has plural forms, `n` chooses one; of a
 *   phrase that is several, written with bars between, `pick` chooses one. `any` and `all` join a list by "or" and
 *   "and", `code` keeps a piece of code from being turned around in a text from right to left
 */
export function vocabulary({ lang, dir, page }, facts) {
  const plural = new Intl.PluralRules(lang);
  const or = new Intl.ListFormat(lang, { type: 'disjunction' });
  const and = new Intl.ListFormat(lang, { type: 'conjunction' });

  /** From right to left, the point of a path such as `.env` would move to its other end. */
  const apart = (fact) => {
    const turns = TURNS.test(String(fact)) || (dir === 'rtl' && typeof fact !== 'number');
    return turns ? `\u2068${fact}\u2069` : String(fact);
  };

  const say = (key, more = {}) => {
    const entry = page[key];
    const phrase = typeof entry === 'string' ? entry : (entry[plural.select(Number(more.n))] ?? entry.other);
    if ('pick' in more) return phrase.split('|')[Number(more.pick)] ?? '';
    const known = { ...facts, ...more };
    return phrase.replace(/\{(\w+)\}/g, (whole, name) => (name in known ? apart(known[name]) : whole));
  };
  return Object.assign(say, {
    any: (items) => or.format(items),
    all: (items) => and.format(items),
    code: (text) => (dir === 'rtl' ? `\u2066${text}\u2069` : text),
  });
}

/** A phrase that can be said again in another language. */
export class Phrase {
  /** @param {() => string} said the text in the language of the moment */
  constructor(said) {
    this.toString = said;
  }
}
