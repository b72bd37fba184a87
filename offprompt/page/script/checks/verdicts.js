/** Whether a value is of a kind: an integer, a URL, a JSON text. The twin of offprompt/registry/verdicts.py. */

const URL_PARTS = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)/;
const INNER_SPACE = /[ \t\r\n]+/;
const PLACEHOLDER = /<[A-Za-z_ -]{3,40}>|\[[A-Z_-]{4,40}\]/;
/** Characters of a text that is read at all; the service writes no longer value. */
const MAX_JUDGED = 65536;

/** @type {Map<string, RegExp>} */
const whole = new Map();

/**
 * @param {string} expression
 * @param {boolean} [ignoreCase]
 */
function matches(expression, ignoreCase, value) {
  const name = `${ignoreCase ? 'i' : ''}/${expression}`;
  let known = whole.get(name);
  if (!known) whole.set(name, (known = new RegExp(`^(?:${expression})$`, ignoreCase ? 'is' : 's')));
  return known.test(value);
}

/**
 * The number of characters (code points) in `text`.
 *
 * @param {string} text
 */
export function count(text) {
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (text.charCodeAt(at) >> 10 === 0x36 && text.charCodeAt(at + 1) >> 10 === 0x37) pairs += 1;
  }
  return text.length - pairs;
}

/**
 * @param {any} rule a rule `format` of the page's data
 * @param {string} value without spaces at its ends
 * @returns {'' | 'odd' | 'other' | 'broken'} `''`: it is of the kind. `odd`: it is not, and may work all the same.
 *   `other`: it is something else. `broken`: it says that it is of the kind, and cannot be read as such
 */
export function verdict(rule, value) {
  const size = count(value);
  if (size > MAX_JUDGED) return 'odd';
  if (keeps(rule, value, size)) return '';
  if (rule.begins && matches(rule.begins, rule.ignore_case, value)) return 'broken';
  return rule.odd && matches(rule.odd, rule.ignore_case, value) ? 'odd' : 'other';
}

/**
 * Whether a URL still has a part like `<password>` or `[YOUR-PASSWORD]`, as consoles show it.
 *
 * @param {string} value
 */
export const placeholderLeft = (value) => URL_PARTS.test(value) && PLACEHOLDER.test(value);

function keeps(rule, value, size) {
  if (size < (rule.min ?? 0) || size > (rule.max ?? size)) return false;
  const text = rule.strip ? value.replace(/[ \t\r\n]+/g, '') : value;
  if (rule.multiple && count(text) % rule.multiple) return false;
  if (rule.pattern && !matches(rule.pattern, rule.ignore_case, text)) return false;
  if (rule.schemes && !isUrl(text, rule.schemes, rule.host)) return false;
  return !rule.parse || (rule.parse === 'json' ? isJson(text) : isJwt(text));
}

/** RFC 3986 read leniently: passwords are pasted as they are, and drivers read lists of hosts. */
function isUrl(value, schemes, host) {
  const parts = URL_PARTS.exec(value);
  if (!parts) return false;
  const scheme = parts[1].toLowerCase();
  if (!schemes.includes(scheme) && !schemes.includes(scheme.split('+')[0])) return false;
  const name = parts[2].slice(parts[2].lastIndexOf('@') + 1).replace(/:[0-9]*$/, '');
  return !host || (name !== '' && !INNER_SPACE.test(name));
}

function isJson(value) {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

function isJwt(value) {
  const parts = value.split('.');
  if (parts.length !== 3 || !parts.every((part) => /^[A-Za-z0-9_-]+$/.test(part))) return false;
  try {
    const bytes = Uint8Array.from(atob(parts[0].replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    const head = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return /^[ \t\r\n]*\{/.test(head) && isJson(head);
  } catch {
    return false;
  }
}
