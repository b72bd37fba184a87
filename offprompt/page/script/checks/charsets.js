/** Sets of characters, written as the inside of a regular expression's class: tested, and told apart for words. */

/** @type {Map<string, RegExp>} */
const classes = new Map();

/**
 * Whether every character of `value` is in the set.
 *
 * @param {string} value
 * @param {string} of
 */
export function only(value, of) {
  let known = classes.get(of);
  if (!known) classes.set(of, (known = new RegExp(`^[${of}]*$`)));
  return known.test(value);
}

/**
 * The set in words. A hyphen in it stands last.
 *
 * @param {string} of
 * @returns {{letters: '' | 'all' | 'capital' | 'small', digits: boolean, hex: boolean, signs: string}} `hex`:
 *   hexadecimal digits, and neither letters nor digits else; `signs`: all other characters, one by one
 */
export function characters(of) {
  const ranges = new Set();
  let signs = '';
  for (let at = 0; at < of.length; ) {
    if (at + 2 < of.length && of[at + 1] === '-') {
      ranges.add(of.slice(at, at + 3));
      at += 3;
    } else {
      signs += of[at];
      at += 1;
    }
  }
  const small = ranges.has('a-z');
  const capital = ranges.has('A-Z');
  if ((ranges.has('a-f') || ranges.has('A-F')) && !small && !capital) return { letters: '', digits: false, hex: true, signs };
  return { letters: small && capital ? 'all' : small ? 'small' : capital ? 'capital' : '', digits: ranges.has('0-9'), hex: false, signs };
}
