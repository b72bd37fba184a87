/** The page's words: every text comes from one catalogue, in the language the page was sent in. */

/**
 * Signs that turn the direction of a text, and letters written from right to left: a fact that holds one is set apart by
 * isolates (Unicode TR9, 2.4), so that it cannot turn the sentence around it.
 */
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/** @param {unknown} fact */
const apart = (fact) => (TURNS.test(String(fact)) ? `\u2068${fact}\u2069` : String(fact));

/**
 * @param {{lang: string, page: Record<string, string | Record<string, string>>}} catalogue
 * @param {Record<string, unknown>} facts known everywhere on the page: host, path
 * @returns {(key: string, more?: Record<string, unknown>) => string} the phrase of a key, its `{facts}` filled in; where
 *   it has plural forms, `n` chooses one
 */
export function vocabulary(catalogue, facts) {
  const plural = new Intl.PluralRules(catalogue.lang);
  return (key, more = {}) => {
    const entry = catalogue.page[key];
    const phrase = typeof entry === 'string' ? entry : (entry[plural.select(Number(more.n))] ?? entry.other);
    const known = { ...facts, ...more };
    return phrase.replace(/\{(\w+)\}/g, (whole, name) => (name in known ? apart(known[name]) : whole));
  };
}
