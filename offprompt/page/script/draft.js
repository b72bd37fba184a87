/**
 * What the page would write if the button were pressed now.
 *
 * @typedef {object} Secret one entry of the request's `secrets`
 * @property {string} name
 * @property {string} label
 * @property {string} caption
 * @property {boolean} secret
 * @property {boolean} multiline
 * @property {boolean} present the file holds a value of this name
 * @property {string} url
 * @property {{id: string, provider: string, label: string} | null} key whose it is, where that is known
 * @property {any[]} rules what is known of how it looks (checks/check.js)
 * @property {{bytes: number, encoding: string} | null} generate
 *
 * @typedef {object} Typed
 * @property {string} text
 * @property {boolean} empty the person ticked that the empty value is meant
 */

/**
 * @param {Secret[]} secrets
 * @param {Record<string, Typed>} typed by name; generated keys that the file holds are not in it
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
    // A key to be generated that is left empty is made by the service.
    if (name in values || generate) writes += 1;
  }
  return { values, left, writes };
}
