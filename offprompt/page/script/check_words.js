/** The words for the findings of the checks: a line's facts (checks/check.js) put into phrases of the catalogue. */

/** A limit of so many characters or more is not told: nobody reaches it. */
const WORTH_TELLING = 256;

/** Whose key a value is tells a person more than how it differs from the key that is asked for. */
const SAYS_IT_ALL = ['other_key', 'sibling'];

/**
 * Return the lines to show: `loud` ones need attention, `calm` ones are read with the field.
 *
 * @typedef {import('./checks/check.js').Line} Line
 *
 * @param {Line[]} lines
 * @param {import('./checks/check.js').Summary | null} summary stands for all lines that passed
 * @param {boolean} empty there is no value yet: the label alone tells its kind
 * @returns {{loud: Line[], calm: Line[]}}
 */
export function chosen(lines, summary, empty) {
  const foreign = lines.filter(({ id }) => SAYS_IT_ALL.includes(id));
  if (foreign.length > 0) return { loud: [...foreign, ...lines.filter(({ id }) => id === 'exposed')], calm: [] };
  const loud = lines.filter(({ state }) => state === 'warn' || state === 'fail');
  const quiet = lines.filter(({ state }) => state === 'pass' || state === 'pending');
  return { loud, calm: summary ? [] : quiet.filter(({ id }) => !(empty && id === 'format')) };
}

/**
 * @typedef {import('./words.js').Words} Words
 *
 * @param {Line} line
 * @param {Words} say
 * @returns {string}
 */
export function lineWords(line, say) {
  const { id, state } = line;
  if (id === 'starts_with' || id === 'usually') return say(`check.${id}`, { prefixes: codes(line.prefixes, say) });
  if (id === 'length') return length(line, say);
  if (id === 'charset') return say('check.charset', { kinds: kinds(line, say) });
  if (id === 'either') return say('check.either', { forms: say.any(line.forms.map((form) => formWords(form, say))) });
  if (id === 'format') {
    const format = say(`format.${line.format}`);
    if (!line.why) return say('check.format', { format });
    return say(`check.format.${line.why === 'other' && state === 'fail' ? 'no' : line.why}`, { format });
  }
  if (id === 'generated') {
    const key = line.why ? `check.generated.${line.why}` : 'check.generated';
    return say(key, { n: line.bytes, encoding: line.encoding });
  }
  if (id === 'sibling') return say(line.same_page ? 'check.sibling.page' : 'check.sibling', line);
  return say(line.an ? `check.${id}.an` : `check.${id}`, line);
}

/**
 * Return the one line for a value without any finding.
 *
 * @param {import('./checks/check.js').Summary} summary
 * @param {Words} say
 * @returns {string}
 */
export function summaryWords(summary, say) {
  if (summary.id === 'is') return say('looks.is', { format: say(`format.${summary.format}`) });
  return say(`looks.${summary.id}${summary.an ? '.an' : ''}`, summary);
}

const codes = (items, say) => say.any(items.map(say.code));

function length({ min, max, n }, say) {
  const range = span(min, max, n, say);
  return n > 0 && n < min ? say('check.length.typed', { range, n }) : say('check.length', { range });
}

function span(min, max, n, say) {
  if (min === max) return say('span.exact', { n: min });
  if (max >= WORTH_TELLING && n <= max) return say('span.least', { n: min });
  return say('span', { min, max, n: max });
}

function kinds({ letters, digits, hex, signs }, say) {
  const parts = [];
  if (hex) parts.push(say('chars.hex'));
  if (letters) parts.push(say(`chars.${letters}`));
  if (digits) parts.push(say('chars.digits'));
  for (const sign of signs) parts.push(sign === ' ' ? say('chars.blank') : say.code(sign));
  return say.all(parts);
}

function formWords({ prefixes, min, max }, say) {
  const range = span(min, max, min, say);
  return prefixes.length > 0 ? say('check.form', { prefixes: codes(prefixes, say), range }) : range;
}
