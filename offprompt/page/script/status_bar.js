/** The bar on top: whether the service is there, and how long the request stays open. */

import { put } from './dom.js';

/**
 * @param {number} seconds
 * @returns {[string, number]} the word and its number: whole minutes, rounded up, and seconds in the last minute
 */
export function timeLeft(seconds) {
  return seconds > 60 ? ['left.minutes', Math.ceil(seconds / 60)] : ['left.seconds', Math.max(0, Math.ceil(seconds))];
}

/**
 * @param {HTMLElement} state
 * @param {HTMLElement} left
 * @param {import('./form.js').Say} say
 */
export function statusBar(state, left, say) {
  return {
    /** @param {'checking' | import('./watch.js').Contact | 'done' | 'closed'} contact */
    show: (contact) => {
      put(state, say(`bar.${contact}`));
      state.className = `contact ${contact}`;
    },
    /** @param {number | null} seconds */
    left: (seconds) => {
      const [word, n] = seconds === null ? ['', 0] : timeLeft(seconds);
      put(left, word && say(word, { n }));
      left.classList.toggle('amber', seconds !== null && seconds <= 60);
    },
  };
}
