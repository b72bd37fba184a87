/**
 * Whose key a value is, by its form alone. What several companies use alike has no owner. The twin of
 * offprompt/registry/owner.py.
 *
 * @typedef {object} Owner
 * @property {string} provider "OpenAI"
 * @property {string} label "API key"
 * @property {boolean} an whether "an" goes before the provider
 * @property {boolean | null} secret null when it can be one of several keys, not all of which are
 *
 * @typedef {object} Key
 * @property {string} id `provider/key`
 * @property {string} provider its id
 * @property {string} name of the provider
 * @property {boolean} an
 * @property {string} maker
 * @property {string} label
 * @property {'secret' | 'public' | 'webhook'} kind
 * @property {{form: Form, near: boolean}[]} forms `near`: several companies use it, all for keys of one kind
 *
 * @typedef {object} Form
 * @property {string[]} [prefix]
 * @property {number} min
 * @property {number} max
 * @property {string} [of] the characters of the whole
 * @property {string} [holds] a text that stands somewhere in it
 */

import { only } from './charsets.js';
import { MARKS, SETS } from './marks.js';
import { count } from './verdicts.js';

const KINDS = ['secret', 'public', 'webhook'];

/** @type {Key[]} */
const KEYS = MARKS.flatMap(([provider, name, an, maker, ...keys]) =>
  keys.map(([short, label, kind, ...forms]) => ({
    id: `${provider}/${short}`,
    provider,
    name,
    an: an === 1,
    maker: maker || provider,
    label,
    kind: KINDS[kind],
    forms: forms.map(([prefixes, min, max, set, holds, near]) => ({
      form: { prefix: typeof prefixes === 'string' ? prefixes.split(' ') : prefixes, min, max, of: SETS[set], holds: holds || '' },
      near: near === 1,
    })),
  })),
);

/**
 * The forms by the letters that their prefixes start with, so that few have to be tried on a value.
 *
 * @type {Map<string, {key: Key, form: Form, near: boolean}[]>}
 */
const BY_LETTER = new Map();
for (const key of KEYS) {
  for (const one of key.forms) {
    for (const letter of new Set(one.form.prefix.map((prefix) => prefix[0]))) {
      if (!BY_LETTER.has(letter)) BY_LETTER.set(letter, []);
      BY_LETTER.get(letter).push({ key, ...one });
    }
  }
}

/**
 * How many characters of `value` the form's prefix and inner text explain, or -1 when it has another form.
 *
 * @param {Form} form
 * @param {string} value
 */
export function matchedPrefix(form, value) {
  let long = form.prefix?.length ? -1 : 0;
  for (const prefix of form.prefix ?? []) {
    if (prefix.length > long && value.startsWith(prefix)) long = prefix.length;
  }
  if (long < 0) return -1;
  const size = count(value);
  const holds = form.holds ?? '';
  if (size < form.min || size > form.max || (form.of && !only(value, form.of)) || !value.includes(holds)) return -1;
  return long + holds.length;
}

/**
 * The keys that `value` can be by the forms that explain most of it, and how many characters those explain.
 *
 * @param {string} value
 * @param {boolean} [near] only prefixes that several companies use, all for keys of one kind
 * @returns {{explained: number, keys: Key[]}}
 */
export function candidates(value, near = false) {
  let explained = 0;
  /** @type {Key[]} */
  let keys = [];
  for (const { key, form, near: shared } of BY_LETTER.get(value[0]) ?? []) {
    if (shared !== near) continue;
    const long = matchedPrefix(form, value);
    if (long < 0 || long < explained) continue;
    if (long > explained) keys = [];
    explained = long;
    if (!keys.includes(key)) keys.push(key);
  }
  return { explained, keys };
}

/**
 * One name for all of these keys, or null when they are of several companies.
 *
 * @param {Key[]} keys
 * @returns {Owner | null}
 */
export function ownerOf(keys) {
  if (new Set(keys.map((key) => key.maker)).size !== 1) return null;
  const secrets = keys.map((key) => key.kind !== 'public');
  const secret = new Set(secrets).size === 1 ? secrets[0] : null;
  const [{ maker, name, an, label }] = keys;
  if (new Set(keys.map((key) => key.provider)).size > 1) return { provider: maker, label: 'key', an: false, secret };
  return { provider: name, label: keys.length > 1 ? 'key' : label, an, secret };
}

/**
 * What `value`, without spaces at its ends, surely is; null when that cannot be told.
 *
 * @param {string} value
 */
export const recognise = (value) => ownerOf(candidates(value).keys);
