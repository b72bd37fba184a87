/** What a typed value may be, whatever its kind. */

/**
 * `text` as it is meant: a line copied with its end loses that end, since a key of one line never has one. Line breaks
 * inside stay: the file gets what was pasted, or the service refuses it.
 *
 * @param {string} text
 * @param {boolean} multiline
 */
export function tidy(text, multiline) {
  return multiline ? text : text.replace(/[\r\n]+$/, '');
}

/**
 * The word for what no file and no JSON can carry, or null.
 *
 * @param {string} text
 * @returns {string | null} a key of the catalogue
 */
export function flaw(text) {
  if (text.includes('\0')) return 'field.nul';
  return /\p{Surrogate}/u.test(text) ? 'field.surrogate' : null;
}
