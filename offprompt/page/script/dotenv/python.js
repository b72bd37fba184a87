/**
 * What `python-dotenv` reads: the twin of offprompt/sinks/dotenv/python.py. It reads statement by statement, and skips the
 * rest of the line where it cannot read one. What Python takes for white space is spelt out.
 * tests/page/test_dotenv_reader.py compares the two.
 */

import { plain } from './newlines.js';

const INLINE = '\\t\\v\\f\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const ANY = `\\n\\r${INLINE}`;
const sticky = (pattern) => new RegExp(pattern, 'y');

const SPACE = sticky(`[${ANY}]*`);
const EXPORT = sticky(`(?:export[${INLINE}]+)?`);
const NAME = sticky(`[^=#${ANY}]+`);
const QUOTED_NAME = sticky(`'([^']+)'`);
const EQUALS = sticky(`[${INLINE}]*(=[${INLINE}]*)?`);
const BARE = sticky('[^\\r\\n]*');
const COMMENT = sticky(`(?:[${INLINE}]*#[^\\r\\n]*)?`);
const LINE_END = sticky(`[${INLINE}]*(?:\\r\\n|\\n|\\r|$)`);
const REST = sticky('[^\\r\\n]*(?:\\r|\\n)?');

const BARE_COMMENT = new RegExp(`[${ANY}]#`);
const BLANK = new RegExp(`[${ANY}]`);
const ESCAPED = { "'": /\\[\\']/g, '"': /\\[\\'"abfnrtv]/g };
const MEANT = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

// A name ends where the next `${` begins: each would be followed to the same end.
const FILLED = /\$\{(?:[^}:$]|\$(?!\{))*(?::-[^}]*)?\}/;

/** Whether python-dotenv would replace a part of the value, as `${HOME}` or `${X:-y}`. @param {string} value */
export function isFilled(value) {
  // Cut behind the last brace: without one to find, every `${` of a long text would be followed to its end.
  return FILLED.test(value.slice(0, value.lastIndexOf('}') + 1));
}

/** The text cannot be read on from here. */
class Unreadable extends Error {}

/** @param {string} text @returns {Map<string, string | null>} by name, null where there is no `=`; the last one counts */
export function byPython(text) {
  const found = new Map();
  let at = text.startsWith('\ufeff') ? 1 : 0;

  /** @param {RegExp} pattern */
  function take(pattern) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) throw new Unreadable();
    at = pattern.lastIndex;
    return match;
  }

  function statement() {
    take(SPACE);
    if (at === text.length) return;
    take(EXPORT);
    const mark = text[at];
    const name = mark === '#' ? null : mark === "'" ? take(QUOTED_NAME)[1] : take(NAME)[0];
    const equals = take(EQUALS)[1];
    const held = equals === undefined ? null : value(equals.length - 1);
    take(COMMENT);
    take(LINE_END);
    if (name !== null) found.set(plain(name), held);
  }

  /** @param {number} blanks between the `=` and here */
  function value(blanks) {
    const mark = text[at];
    if (blanks > 0 && mark === '#') return '';
    if (mark === "'" || mark === '"') {
      const inner = plain(quoted(mark));
      return inner.replace(ESCAPED[mark], ([, one]) => (mark === '"' && MEANT[one]) || one);
    }
    const bare = take(BARE)[0];
    const comment = bare.search(BARE_COMMENT);
    let end = comment === -1 ? bare.length : comment;
    while (end > 0 && BLANK.test(bare[end - 1])) end -= 1; // a regular expression would start at every blank of a long run
    return bare.slice(0, end);
  }

  /** What stands between two marks; a backslash takes the next character along, whatever it is. */
  function quoted(mark) {
    const start = at + 1;
    for (let end = start; end < text.length; end += text[end] === '\\' ? 2 : 1) {
      if (text[end] !== mark) continue;
      at = end + 1;
      return text.slice(start, end);
    }
    throw new Unreadable();
  }

  while (at < text.length) {
    try {
      statement();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      take(REST);
    }
  }
  return found;
}
