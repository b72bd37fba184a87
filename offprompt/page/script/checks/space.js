/** Spaces at the ends of a value: copied along, and never part of a key. As offprompt/registry/space.py has them. */

/** Unicode's white space, and what has no width and comes along when copied from a web page. */
const SPACE = ' \t\n\r\f\v\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff';
const BEFORE = new RegExp(`^[${SPACE}]+`);
const ONE = new RegExp(`[${SPACE}]`);

/**
 * `value` without the spaces at its ends.
 *
 * @param {string} value
 */
export function trim(value) {
  let end = value.length;
  while (end > 0 && ONE.test(value[end - 1])) end -= 1;
  return value.slice(0, end).replace(BEFORE, '');
}

/**
 * Whether there are any, so that the page offers to take them away.
 *
 * @param {string} value
 */
export const spaced = (value) => trim(value) !== value;
