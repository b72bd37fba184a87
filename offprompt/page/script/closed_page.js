/** The page when nothing can be written: the reason, and the typed values to copy. */

import { make } from './dom.js';

/**
 * @param {string} word key of its heading in the catalogue; with `.text` behind it, key of its text
 * @param {Node[]} typed the fields that a person typed in
 * @param {import('./form.js').Say} say
 */
export function closedPage(word, typed, say) {
  return make(
    'section',
    { class: 'ended' },
    make('h1', { tabindex: '-1', id: 'title' }, say(word)),
    make('p', {}, say(`${word}.text`)),
    typed.length > 0 && make('p', {}, say('ended.typed')),
    ...typed,
  );
}
