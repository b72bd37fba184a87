/** The lines under a field: how its value has to look, what passed, what needs another look. */

import { chosen, lineWords, summaryWords } from './check_words.js';
import { make } from './dom.js';
import { icon } from './icons.js';

const SIGNS = { pass: 'done', pending: 'open', warn: 'warn', fail: 'block' };

/**
 * @param {string} id
 * @param {() => void} trimmed called when a person wants the spaces at the ends removed
 * @param {import('./form.js').Say} say
 */
export function checkLines(id, trimmed, say) {
  // Screen readers speak these lines at once, and the others with the field, not at every key.
  const heed = make('ul', { class: 'heed', 'aria-live': 'polite' });
  const known = make('ul', { class: 'known' });
  let shown = '';

  const line = (state, text, ...more) =>
    make('li', { class: state }, icon(SIGNS[state]), make('span', {}, text), ...more);
  const trim = () => make('button', { type: 'button', class: 'mini', onclick: trimmed }, say('check.trim'));

  return {
    element: make('div', { class: 'judged', id }, heed, known),
    /**
     * @param {ReturnType<typeof import('./checks/check.js').check>} checked
     * @param {boolean} empty there is no value yet
     * @param {boolean} spaced point out the spaces at its ends
     */
    show: ({ lines, summary }, empty, spaced) => {
      const now = JSON.stringify([lines, summary, empty, spaced]);
      if (now === shown) return;
      shown = now;
      const { loud, calm } = chosen(lines, summary, empty);
      heed.replaceChildren(
        ...(summary ? [line('pass', say.by((words) => summaryWords(summary, words)))] : []),
        ...loud.map((one) => line(one.state, say.by((words) => lineWords(one, words)))),
        ...(spaced ? [line('warn', say('check.space'), trim())] : []),
      );
      known.replaceChildren(...calm.map((one) => line(one.state, say.by((words) => lineWords(one, words)))));
    },
  };
}
