/** The limits of a typed value of any kind. */

/** Bytes of one value in UTF-8 that the service takes (offprompt/request/submission.py). */
export const MAX_VALUE = 65_536;

/**
 * Return `text` without the line break that was copied with it: a key of one line never ends in one. Line breaks inside
 * stay: the file gets them, or the service refuses them.
 *
 * @param {string} text
 * @param {boolean} multiline
 */
export function tidy(text, multiline) {
  if (multiline) return text;
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1;
  return text.slice(0, end);
}

/** @param {string} text */
export function tooLong(text) {
  // A UTF-16 unit takes one to three bytes of UTF-8: bytes are counted only where that decides.
  if (text.length > MAX_VALUE) return true;
  return text.length * 3 > MAX_VALUE && new TextEncoder().encode(text).length > MAX_VALUE;
}

/**
 * Return the key of the words for what no file and no JSON can hold, or null.
 *
 * @param {string} text
 * @returns {string | null} a key of the catalogue
 */
export function flaw(text) {
  if (tooLong(text)) return 'field.long';
  if (text.includes('\0')) return 'field.nul';
  return /\p{Surrogate}/u.test(text) ? 'field.surrogate' : null;
}
