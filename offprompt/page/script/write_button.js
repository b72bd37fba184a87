/** The button that writes. Its face says what is left to do, or what a press does. */

import { make, put } from './dom.js';
import { icon } from './icons.js';

/**
 * @param {{left: string[], writes: number}} drafted
 * @param {boolean} settled the person agreed to the file, where that is needed
 * @param {'' | 'again' | 'anyway'} second a press after the first: another try, or writing in spite of a doubt
 * @returns {{word: string, n: number, ready: boolean}} the key of its words, their number, and whether a press would
 *   write
 */
export function face({ left, writes }, settled, second) {
  if (left.length > 0) return { word: 'write.left', n: left.length, ready: false };
  if (!settled) return { word: 'write.tick', n: 0, ready: false };
  if (second) return { word: `write.${second}`, n: writes, ready: true };
  return { word: writes === 0 ? 'write.nothing' : 'write', n: writes, ready: true };
}

/**
 * @param {import('./form.js').Say} say
 * @param {() => void} pressed
 */
export function writeButton(say, pressed) {
  const label = make('span', {});
  const element = make('button', { type: 'button', class: 'write', disabled: true, onclick: pressed }, label);
  return {
    element,
    /** @param {{word: string, n: number, ready: boolean}} face */
    show: ({ word, n, ready }) => {
      put(label, say(word, { n }));
      element.classList.toggle('ready', ready);
      element.querySelector('svg')?.remove();
      if (ready) element.prepend(icon('lock'));
    },
    focus: () => element.focus(),
    /** @param {boolean} able */
    enable: (able) => {
      element.disabled = !able;
    },
    /** @param {boolean} busy the button keeps its place and the focus, but does nothing */
    busy: (busy) => {
      element.setAttribute('aria-disabled', String(busy));
      element.setAttribute('aria-busy', String(busy));
    },
  };
}
