/**
 * What a press of the button would write now.
 *
 * @typedef {object} Secret one entry of the request's `secrets`
 * @property {string} name
 * @property {string} label
 * @property {string} caption
 * @property {boolean} secret
 * @property {boolean} multiline
 * @property {boolean} present the file holds a value of this name
 * @property {string} url
 * @property {{id: string, provider: string, label: string} | null} key the provider's key that it is, where that is
 *   known
 * @property {any[]} rules for its form (checks/check.js)
 * @property {{bytes: number, encoding: string} | null} generate
 *
 * @typedef {object} Typed
 * @property {string} text
 * @property {boolean} empty the person ticked that the value is meant to be empty
 */

/**
 * @param {Secret[]} secrets
 * @param {Record<string, Typed>} typed by name, without generated keys that the file holds
 * @returns {{values: Record<string, string>, left: string[], writes: number}} the values to send, the names still to be
 *   filled in, and how many values the file gets
 */
export function draft(secrets, typed) {
  /** @type {Record<string, string>} */
  const values = {};
  const left = [];
  let writes = 0;
  for (const { name, present, generate } of secrets) {
    if (generate && present) continue;
    const { text, empty } = typed[name];
    if (text !== '' || empty) values[name] = text;
    else if (!generate && !present) left.push(name);
    // The service makes a generated key that was left empty.
    if (name in values || generate) writes += 1;
  }
  return { values, left, writes };
}
