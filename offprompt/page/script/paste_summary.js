/** The outcome of a paste or a file: what was filled in, what needs a look, what was left out, and the way back. */

import { make } from './dom.js';
import { icon } from './icons.js';

/** So many names stand in a line; of the rest the number. */
const NAMES = 6;

/** @param {import('./form.js').Say} say */
export function pasteSummary(say) {
  const element = make('div', { class: 'filled', role: 'status' });

  const names = (list) => {
    const told = list.length <= NAMES ? list : list.slice(0, NAMES - 1);
    const more = list.length > told.length ? [say('fill.more', { n: list.length - told.length })] : [];
    return say.by((words) => words.all([...told.map(words.code), ...more.map(String)]));
  };

  const item = (sign, text) =>
    make('li', { class: sign === 'warn' ? 'amber' : '' }, icon(sign), make('span', {}, text));

  const line = (sign, key, list) => list.length > 0 && item(sign, say(key, { n: list.length, names: names(list) }));

  return {
    element,
    /**
     * @param {{taken: string[], fix: string[], unclear: string[], empty: string[], kept: string[], others: string[]}}
     *   of
     * @param {() => void} undo
     */
    show: ({ taken, fix, unclear, empty, kept, others }, undo) => {
      const back = make('button', { type: 'button', class: 'outline', onclick: undo }, icon('undo'), say('fill.undo'));
      element.replaceChildren(
        make(
          'ul',
          {},
          line('done', 'fill.filled', taken),
          line('warn', 'fill.fix', fix),
          line('warn', 'fill.unclear', unclear),
          line('open', 'fill.empty', empty),
          line('kept', 'fill.kept', kept),
          line('kept', 'fill.skipped', others),
        ),
        ...(taken.length > 0 ? [back] : []),
      );
    },
    /** @param {string} word why nothing was filled in, or that it was undone */
    say: (word) => element.replaceChildren(make('ul', {}, item(word === 'fill.undone' ? 'undo' : 'warn', say(word)))),
    clear: () => element.replaceChildren(),
  };
}
