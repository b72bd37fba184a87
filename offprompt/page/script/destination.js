/** Where the values go: the file, the project, and what a person has to know of that file before it is written. */

import { make } from './dom.js';
import { icon } from './icons.js';

/**
 * @typedef {object} Sink as docs/protocol.md describes it
 * @property {string} kind "dotenv" or "file"
 * @property {string} path
 * @property {string} [lands] where a link leads, when that is another place of the project
 * @property {boolean} exists
 * @property {'none' | 'unknown' | 'tracked' | 'untracked'} git
 * @property {boolean} tracked
 * @property {boolean} ignored
 * @property {boolean} readable_by_others
 * @property {string} [public] the folder by which web servers give the file to everyone
 * @property {string} [trusted] what runs the file or trusts it: one of TRUSTED
 * @property {boolean} [writable] false: the file system would refuse the write
 * @property {boolean} [agree] a write needs the person's tick
 */

/** The kinds of files that something runs or trusts, each with a sentence of its own in the catalogue. */
export const TRUSTED = ['shell', 'hooks', 'ci', 'editor', 'build', 'packages', 'agent', 'login', 'python', 'runs'];

/** So many characters of a path are named one by one. */
const NAMED = 8;

/**
 * The path as a person sees it.
 *
 * @param {Sink} sink
 */
export const shownPath = ({ path, lands }) => (lands ? `${path} → ${lands}` : path);

/**
 * Return the characters of a path that are not plain ASCII, each with its number: many look like others.
 *
 * @param {string} path
 * @returns {string[]} such as "é (U+00E9)", every character once
 */
export function foreign(path) {
  const found = [...new Set(Array.from(path))].filter((sign) => sign < ' ' || sign > '~');
  return found.map((sign) => {
    const number = `U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    // A mark that joins the letter before it gets a circle to sit on; what has no shape is its number alone.
    if (/\p{M}/u.test(sign)) return `◌${sign} (${number})`;
    return /[\p{C}\p{Z}]/u.test(sign) ? number : `${sign} (${number})`;
  });
}

/**
 * Return the lines below the path, as [sign, key of the catalogue]; those that need attention come last.
 *
 * @param {Sink} sink
 * @param {number} [held] how many of the values asked for the file holds
 * @returns {['done' | 'kept' | 'warn' | 'block', string][]}
 */
export function remarks(sink, held = 0) {
  const { kind, lands, exists, ignored, git } = sink;
  const tracked = sink.tracked || git === 'tracked';
  const lines = [];
  if (exists && kind === 'file') lines.push(['warn', 'where.exists.file']);
  else if (exists) lines.push(['kept', held > 0 ? 'where.holds' : 'where.exists']);
  else if (sink.writable !== false) lines.push(['done', 'where.new']);
  if (ignored) lines.push(['done', 'where.ignored']);
  else if (git === 'none') lines.push(['kept', 'where.nogit']);
  else if (git === 'untracked') lines.push(['warn', 'where.exposed']);
  if (lands) lines.push(['warn', 'where.lands']);
  if (foreign(lands ? `${sink.path}${lands}` : sink.path).length > 0) lines.push(['warn', 'where.foreign']);
  if (sink.readable_by_others) lines.push(['warn', 'where.readable']);
  if (git === 'unknown') lines.push(['warn', 'where.unknown']);
  if (tracked) lines.push(['warn', 'where.tracked']);
  if (sink.public) lines.push(['warn', 'where.public']);
  if (sink.trusted) lines.push(['warn', `where.trusted.${TRUSTED.includes(sink.trusted) ? sink.trusted : 'runs'}`]);
  if (sink.writable === false) lines.push(['block', 'where.unwritable']);
  return lines;
}

/**
 * Return the project's folder, and the path to it where the page knows it: through a tunnel it does not.
 *
 * @param {string} project a name or an absolute path, of any system
 * @returns {{folder: string, path: string}} `path` is empty when only a name is known
 */
export function placed(project) {
  const folder = project.split(/[\\/]/).filter(Boolean).at(-1) ?? project;
  return { folder, path: folder === project ? '' : project };
}

const COLOURS = { warn: 'amber', block: 'red' };

/**
 * @param {Sink} sink
 * @param {string} project
 * @param {{held: number, asked: number}} of the values: how many the file holds, how many the agent asks for
 * @param {import('./form.js').Say} say
 * @param {() => void} changed called when a person ticks or clears the box
 */
export function destination(sink, project, { held, asked }, say, changed) {
  const { folder, path } = placed(project);
  const agree = sink.agree ?? sink.tracked;
  const tick = agree && make('input', { type: 'checkbox', id: 'allow-tracked', disabled: true, onchange: changed });
  const signs = foreign(`${sink.path}${sink.lands ?? ''}`);
  const more = signs.length - NAMED;
  const rest = more > 0 ? [say('fill.more', { n: more })] : [];
  const characters = say.by((words) => words.all([...signs.slice(0, NAMED).map(words.code), ...rest.map(String)]));
  const facts = { n: held, asked, lands: sink.lands, folder: sink.public && `${sink.public}/`, characters };
  const element = make(
    'section',
    { class: 'where', 'aria-labelledby': 'where' },
    make('h2', { id: 'where' }, say('where')),
    make(
      'p',
      { class: 'path', translate: 'no', dir: 'ltr' },
      make('bdi', {}, sink.path),
      ...(sink.lands ? [' → ', make('bdi', {}, sink.lands)] : []),
    ),
    make('p', { class: 'project' }, say('where.in', { project: folder })),
    path &&
      make(
        'details',
        {},
        make('summary', {}, say('where.path')),
        make('p', { class: 'full', translate: 'no' }, make('bdi', {}, path)),
      ),
    make(
      'ul',
      {},
      ...remarks(sink, held).map(([sign, key]) =>
        make('li', { class: COLOURS[sign] ?? '' }, icon(sign), make('span', {}, say(key, facts)))),
    ),
    tick && make('label', { class: 'tick' }, tick, make('span', {}, say('where.allow'))),
  );
  return {
    element,
    /** Whether the person agreed to write into a file that needs it. */
    allowed: () => Boolean(tick && tick.checked),
    /** Whether nothing is to be ticked, or it is. */
    settled: () => !tick || tick.checked,
    focus: () => tick && tick.focus(),
    /** @param {boolean} able */
    enable: (able) => {
      if (tick) tick.disabled = !able;
    },
  };
}
