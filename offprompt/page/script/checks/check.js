/**
 * A value held against what is known of it: a line for each rule, and a summary. No line holds any part of the value. The
 * twin of offprompt/registry/checks.py: the service refuses again what is refused here. docs/protocol/http.md ("Rules")
 * has rules and lines.
 *
 * @typedef {{id: string, state: 'pass' | 'pending' | 'warn' | 'fail'} & Record<string, any>} Line
 * @typedef {{id: 'looks_like' | 'fits' | 'is'} & Record<string, any>} Summary
 */

import { characters, only } from './charsets.js';
import { candidates, matchedPrefix, ownerOf } from './owner.js';
import { trim } from './space.js';
import { count, placeholderLeft, verdict } from './verdicts.js';

/** Formats that match nearly any text; they are not named. */
const TELL_NOTHING = ['text', 'password', 'random_secret'];

/**
 * @param {{key: any, rules: any[]}} secret one entry of the request's `secrets`
 * @param {string} value as it was typed; spaces at its ends do not count
 * @param {{typing?: boolean}} [how] `typing`: what more characters could mend is `pending`
 * @returns {{lines: Line[], summary: Summary | null, blocks: boolean, warns: boolean}} `blocks`: the service would refuse
 *   the value; `warns`: a person should look twice
 */
export function check({ key, rules }, value, { typing = false } = {}) {
  const text = trim(value);
  const origin = originOf(key, rules, text);
  const lines = [
    foreign(origin),
    placeholderLeft(text) && { id: 'placeholder', state: 'warn' },
    ...rules.map((rule) => (rule.id === 'exposed' ? exposed(rule, origin) : LINES[rule.id]?.(rule, text, typing))),
  ].filter(Boolean);
  const settled = text !== '' && lines.every(({ id, state }) => state === 'pass' || id === 'usually');
  return {
    lines,
    summary: settled ? summary(origin) : null,
    blocks: lines.some(({ state }) => state === 'fail'),
    warns: lines.some(({ state }) => state === 'warn'),
  };
}

const state = (good, hope) => (good ? 'pass' : hope ? 'pending' : 'warn');

/** Whose key a text is, beside whose it should be. */
function originOf(key, rules, text) {
  const { explained, keys } = candidates(text);
  const provider = key?.id.split('/')[0];
  const ours = key ? [key.id, ...key.also.map((short) => `${provider}/${short}`)] : [];
  const prefixes = rules.flatMap(prefixesOf);
  const own = Math.max(0, ...prefixes.map((prefix) => (text.startsWith(prefix) ? prefix.length : 0)));
  return {
    key,
    rules,
    text,
    provider,
    keys,
    own,
    telling: prefixes.some((prefix) => text.startsWith(prefix) && !key?.vague.includes(prefix)),
    mine: keys.some(({ id }) => ours.includes(id)),
    outweighed: own < explained || (own === explained && Boolean(key?.formed)),
  };
}

/** @returns {string[]} */
const prefixesOf = ({ prefix = [], forms = [], id }) =>
  id === 'starts_with' || id === 'usually' ? prefix : forms.flatMap((form) => form.prefix ?? []);

/** The line that says whose the text is, where it is not the key that is asked for. */
function foreign({ key, text, provider, keys, own, mine, outweighed }) {
  if (!key || mine) return null;
  let theirs = keys;
  if (keys.length === 0 && own === 0) {
    theirs = candidates(text, true).keys.filter((one) => one.provider === provider && one.kind !== key.kind);
  } else if (!outweighed) return null;
  const name = ownerOf(theirs);
  if (!name) return null;
  if (theirs.every((one) => one.provider === provider)) {
    if (theirs.length > 1) return null;
    const same_page = key.same_page.includes(theirs[0].id.split('/')[1]);
    return { id: 'sibling', state: 'warn', label: name.label, own: key.label, same_page };
  }
  return { id: 'other_key', state: 'warn', provider: name.provider, label: name.label, an: name.an };
}

/** The summary, where nothing stands against the text. */
function summary({ key, rules, keys, mine, telling }) {
  const kinds = rules.filter((rule) => rule.id === 'format' && !TELL_NOTHING.includes(rule.is)).map((rule) => rule.is);
  const name = ownerOf(keys);
  if (!key) {
    if (name) return { id: 'looks_like', provider: name.provider, label: name.label, an: name.an };
    return kinds.length > 0 ? { id: 'is', format: kinds[0] } : null;
  }
  if (rules.every((rule) => rule.id === 'exposed')) return null;
  const sure = keys.length > 0 ? mine && name !== null : telling;
  const label = name && mine && !keys.some(({ id }) => id === key.id) ? name.label : key.label;
  return { id: sure ? 'looks_like' : 'fits', provider: key.provider, label, an: key.an };
}

function exposed(rule, { keys }) {
  return (ownerOf(keys)?.secret ?? rule.secret) ? { id: 'exposed', state: 'warn', prefix: rule.prefix } : null;
}

const ALPHABETS = { hex: '0-9a-fA-F', base64: 'A-Za-z0-9+/', base64url: 'A-Za-z0-9_-' };

/** @type {Record<string, (rule: any, text: string, typing: boolean) => Line>} */
const LINES = {
  starts_with({ prefix }, text, typing) {
    const hope = text === '' || (typing && prefix.some((one) => one.startsWith(text)));
    return { id: 'starts_with', state: state(prefix.some((one) => text.startsWith(one)), hope), prefixes: prefix };
  },
  usually: ({ prefix }, text) => ({
    id: 'usually',
    state: state(prefix.some((one) => text.startsWith(one)), true),
    prefixes: prefix,
  }),
  length({ min, max }, text, typing) {
    const n = count(text);
    return { id: 'length', state: state(n >= min && n <= max, n === 0 || (typing && n < min)), min, max, n };
  },
  charset: ({ of }, text) => ({
    id: 'charset',
    state: state(text !== '' && only(text, of), text === ''),
    ...characters(of),
  }),
  either({ forms }, text, typing) {
    const good = text !== '' && forms.some((form) => matchedPrefix(form, text) >= 0);
    const shown = forms.map(({ prefix = [], min, max, of = '' }) => ({ prefixes: prefix, min, max, ...characters(of) }));
    return { id: 'either', state: state(good, typing || text === ''), forms: shown };
  },
  format(rule, text, typing) {
    const why = text === '' ? '' : verdict(rule, text);
    if (text === '' || (typing && why)) return { id: 'format', state: 'pending', format: rule.is, why: '' };
    const wrong = why === 'broken' || (why === 'other' && rule.firm) ? 'fail' : 'warn';
    return { id: 'format', state: why ? wrong : 'pass', format: rule.is, why };
  },
  generated({ bytes, encoding }, text, typing) {
    const bare = encoding === 'hex' ? text : text.replace(/={0,2}$/, '');
    const size = Math.floor(encoding === 'hex' ? bare.length / 2 : (bare.length * 3) / 4);
    const why = text === '' ? '' : !only(bare, ALPHABETS[encoding]) ? 'encoding' : size < bytes ? 'short' : '';
    const now = state(text !== '' && !why, text === '' || (typing && why === 'short'));
    return { id: 'generated', state: now, bytes, encoding, why: now === 'pending' ? '' : why };
  },
};
