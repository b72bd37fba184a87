/**
 * `text` with every CR LF and every CR as LF, as both readers have it.
 *
 * @param {string} text
 */
export const plain = (text) => text.replace(/\r\n?/g, '\n');
