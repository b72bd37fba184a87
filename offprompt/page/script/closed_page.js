/** The page when nothing can be written any more, or never could be: why, and what was typed, to be copied. */

import { make } from './dom.js';

/**
 * @param {string} word its heading's key in the catalogue; the text's is the same with `.text`
 * @param {Node[]} typed the fields somebody typed in
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
