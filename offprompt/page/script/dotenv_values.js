/** What a text of `NAME=value` lines has for the names that are asked for. */

import { read } from './dotenv/read.js';
import { tooLong } from './value.js';

/**
 * @typedef {object} Named
 * @property {Record<string, string>} values of names that are asked for
 * @property {string[]} unclear asked for, and not taken: readers of such files do not agree on the value, or it is too
 *   long
 * @property {string[]} empty asked for, and nothing stands behind the `=`
 * @property {string[]} kept asked for, and made by offprompt only where the file has none: it has one
 * @property {string[]} others not asked for
 */

/**
 * @param {string} text
 * @param {import('./draft.js').Secret[]} secrets
 * @returns {Named}
 */
export function valuesFor(text, secrets) {
  const asked = new Map(secrets.map((secret) => [secret.name, secret]));
  const found = { values: {}, unclear: [], empty: [], kept: [], others: [] };
  for (const [name, value] of read(text)) {
    const secret = asked.get(name);
    if (!secret) found.others.push(name);
    else if (secret.generate && secret.present) found.kept.push(name);
    else if (value === null || tooLong(value)) found.unclear.push(name);
    else if (value === '') found.empty.push(name);
    else found.values[name] = value;
  }
  return found;
}
