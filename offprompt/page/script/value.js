/** What a typed value may be, whatever its kind. */

/** Bytes of one value in UTF-8 that the service takes (offprompt/request/submission.py). */
export const MAX_VALUE = 65_536;

/**
 * `text` as it is meant: a line copied with its end loses that end, since a key of one line never has one. Line breaks
 * inside stay: the file gets what was pasted, or the service refuses it.
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
  // A UTF-16 unit is one to three bytes: only lengths in between are worth counting.
  if (text.length > MAX_VALUE) return true;
  return text.length * 3 > MAX_VALUE && new TextEncoder().encode(text).length > MAX_VALUE;
}

/**
 * The word for what no file and no JSON can carry, or null.
 *
 * @param {string} text
 * @returns {string | null} a key of the catalogue
 */
export function flaw(text) {
  if (tooLong(text)) return 'field.long';
  if (text.includes('\0')) return 'field.nul';
  return /\p{Surrogate}/u.test(text) ? 'field.surrogate' : null;
}
