/**
 * What node's `dotenv` reads: the twin of offprompt/sinks/dotenv/node.py, which spells out what JavaScript takes for white
 * space and line ends. tests/page/test_dotenv_reader.py compares the two.
 */

import { plain } from './newlines.js';

// A backslash keeps the mark from closing, unless nothing else closes it.
const quoted = (mark) => `\\s*${mark}(?:[^${mark}\\\\]|\\\\${mark}|\\\\)*${mark}`;
const STATEMENT = new RegExp(
  `(?:export\\s+)?([\\w.-]+)(?:\\s*=\\s*?|:\\s+?)(${quoted("'")}|${quoted('"')}|${quoted('`')}|[^#\\r\\n]+)?\\s*(?:#.*)?$`,
  'my',
);
const OPENS = /^['"`]/gm;
const CLOSES = /['"`]$/gm;
const SPACE = /\s*/y;
const END = /[\n\r\u2028\u2029]/g;

/** @param {string} text @returns {Map<string, string>} by name; of several values for one name the last */
export function byNode(text) {
  const found = new Map();
  let at = 0;
  while (at < text.length) {
    SPACE.lastIndex = at;
    SPACE.test(text);
    const start = SPACE.lastIndex;
    const startsALine = at === 0 || endAt(text, at - 1) === at - 1 || between(text, at, start);
    STATEMENT.lastIndex = start;
    const match = startsALine ? STATEMENT.exec(text) : null;
    if (match) {
      at = STATEMENT.lastIndex;
      found.set(match[1], value((match[2] ?? '').trim()));
    } else {
      const end = endAt(text, start);
      if (end === -1) break;
      at = end + 1;
    }
  }
  return found;
}

/** Where the line ends that `at` lies in, or -1. */
function endAt(text, at) {
  END.lastIndex = at;
  return END.test(text) ? END.lastIndex - 1 : -1;
}

function between(text, from, to) {
  const end = endAt(text, from);
  return end !== -1 && end < to;
}

function value(raw) {
  const text = plain(raw);
  const inner = unwrapped(text);
  return text.startsWith('"') ? inner.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : inner;
}

/** `text` without each quote that starts a line and the last such quote that ends one. */
function unwrapped(text) {
  const last = {};
  for (const { 0: mark, index } of text.matchAll(CLOSES)) last[mark] = index;
  let kept = '';
  let at = 0;
  for (const { 0: mark, index: start } of text.matchAll(OPENS)) {
    const end = last[mark] ?? -1;
    if (at > start || start >= end) continue;
    kept += text.slice(at, start) + text.slice(start + 1, end);
    at = end + 1;
  }
  return kept + text.slice(at);
}
