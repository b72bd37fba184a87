/** The page after an earlier press was written: whose value the file holds, what was not written, and how to go on. */

import { make } from './dom.js';
import { icon } from './icons.js';
import { fingerprintList } from './written_page.js';

/**
 * @param {string[]} fingerprint of what the file holds
 * @param {string[]} changed names whose value in the file is an earlier one
 * @param {Node[]} typed their fields, with what stands in them now
 * @param {import('./form.js').Say} say
 */
export function overtakenPage(fingerprint, changed, typed, say) {
  const names = say.by((words) => words.all(changed.map(words.code)));
  return make(
    'section',
    { class: 'result overtaken' },
    make('h1', { tabindex: '-1', id: 'title' }, icon('warn'), say('overtaken')),
    make('p', { role: 'alert' }, say('overtaken.text', { n: changed.length, names })),
    make('p', {}, say('overtaken.next')),
    make('h2', {}, say('written.theirs')),
    fingerprintList(fingerprint, say),
    make('p', { class: 'close' }, say('overtaken.same')),
    typed.length > 0 && make('h2', {}, say('overtaken.typed')),
    ...typed,
  );
}
