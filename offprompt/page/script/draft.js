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
 * @property {string[]} rules
 * @property {{bytes: number, encoding: string} | null} generate
 *
 * @typedef {object} Typed
 * @property {string} text
 * @property {boolean} empty the person ticked that the empty value is meant
 */

/**
 * @param {Secret[]} secrets
 * @param {Record<string, Typed>} typed by name; generated keys are not in it
 * @returns {{values: Record<string, string>, left: string[], writes: number}} the values to send, the names still to be
 *   filled in, and how many values the file gets
 */
export function draft(secrets, typed) {
  /** @type {Record<string, string>} */
  const values = {};
  const left = [];
  let writes = 0;
  for (const { name, present, generate } of secrets) {
    if (generate) {
      if (!present) writes += 1;
      continue;
    }
    const { text, empty } = typed[name];
    if (text !== '' || empty) {
      values[name] = text;
      writes += 1;
    } else if (!present) {
      left.push(name);
    }
  }
  return { values, left, writes };
}
