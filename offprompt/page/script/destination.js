/** Where the values go: the file, the project, and what a person should know of that file before it is written. */

import { make } from './dom.js';
import { icon } from './icons.js';

/**
 * @typedef {object} Sink
 * @property {string} kind "dotenv" or "file"
 * @property {string} path
 * @property {boolean} exists
 * @property {boolean} tracked
 * @property {boolean} ignored
 * @property {'none' | 'unknown' | 'tracked' | 'untracked'} git
 * @property {boolean} readable_by_others
 */

/**
 * The lines below the path, the ones to heed last: [sign, key of the catalogue].
 *
 * @param {Sink} sink
 * @param {number} [held] how many of the values asked for the file holds
 * @returns {['done' | 'kept' | 'warn', string][]}
 */
export function remarks({ kind, exists, tracked, ignored, git, readable_by_others: readable }, held = 0) {
  const lines = [];
  if (exists && kind === 'file') lines.push(['warn', 'where.exists.file']);
  else if (exists) lines.push(['kept', held > 0 ? 'where.holds' : 'where.exists']);
  else lines.push(['done', 'where.new']);
  if (ignored) lines.push(['done', 'where.ignored']);
  else if (git === 'none' || git === 'unknown') lines.push(['kept', 'where.nogit']);
  else if (!tracked) lines.push(['warn', 'where.exposed']);
  if (readable) lines.push(['warn', 'where.readable']);
  if (tracked) lines.push(['warn', 'where.tracked']);
  return lines;
}

/**
 * The project's folder, and the path to it where the page was told: through a tunnel it is not.
 *
 * @param {string} project a name or an absolute path, of any system
 * @returns {{folder: string, path: string}} `path` is empty when only a name is known
 */
export function placed(project) {
  const folder = project.split(/[\\/]/).filter(Boolean).at(-1) ?? project;
  return { folder, path: folder === project ? '' : project };
}

/**
 * @param {Sink} sink
 * @param {string} project
 * @param {{held: number, asked: number}} of the values: how many the file holds, how many are asked for
 * @param {import('./form.js').Say} say
 * @param {() => void} changed called when the box was ticked or cleared
 */
export function destination(sink, project, { held, asked }, say, changed) {
  const { folder, path } = placed(project);
  const tick = (sink.agree ?? sink.tracked) && make('input', { type: 'checkbox', id: 'allow-tracked', disabled: true, onchange: changed });
  const element = make(
    'section',
    { class: 'where', 'aria-labelledby': 'where' },
    make('h2', { id: 'where' }, say('where')),
    make('p', { class: 'path', translate: 'no' }, make('bdi', {}, sink.path)),
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
        make('li', { class: sign === 'warn' ? 'amber' : '' }, icon(sign), make('span', {}, say(key, { n: held, asked })))),
    ),
    tick && make('label', { class: 'tick' }, tick, make('span', {}, say('where.allow'))),
  );
  return {
    element,
    /** Whether the person let a file tracked by git be written. */
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
