/** The page after the write: the four emoji, and the outcome of each name. */

import { EMOJI } from './fingerprint.js';
import { make, message } from './dom.js';
import { icon } from './icons.js';

const SIGNS = { added: 'done', replaced: 'done', generated: 'spark', kept: 'kept' };

/**
 * @param {string[]} emoji
 * @param {Say} say
 */
export function fingerprintList(emoji, say) {
  return make(
    'ol',
    { class: 'fingerprint' },
    ...emoji.map((one) =>
      make(
        'li',
        {},
        make('span', { class: 'emoji', 'aria-hidden': 'true' }, one),
        make('span', { class: 'called' }, say('emoji', { pick: EMOJI.indexOf(one) })),
      )),
  );
}

/**
 * @typedef {import('./form.js').Say} Say
 *
 * @param {{fingerprint: string[], keys: {name: string, outcome: string}[], notes: string[], shellDiffers: string[]}}
 *   result `keys` is empty when the answer to the press was lost and the write only seen later
 * @param {string[]} ours the fingerprint of the typed values; empty when none was written
 * @param {Say} say
 */
export function writtenPage({ fingerprint, keys, notes, shellDiffers }, ours, say) {
  const same = ours.join('') === fingerprint.join('');
  const typed = ours.length > 0;
  const unchanged = keys.every(({ outcome }) => outcome === 'kept');
  // Where the names are known, the page says the note in its own language.
  const differing = say.by((words) => words.all(shellDiffers.map(words.code)));
  const told = shellDiffers.length > 0 ? [say('written.shell', { names: differing })] : notes;
  return make(
    'section',
    { class: same ? 'result' : 'result fault' },
    make('h1', { tabindex: '-1', id: 'title' }, icon(same ? 'done' : 'block'), say(same ? 'written' : 'written.fault')),
    !same && make('p', { role: 'alert' }, say('written.fault.text')),
    !same && make('h2', {}, say('written.theirs')),
    (typed || !same) && fingerprintList(fingerprint, say),
    !same && make('h2', {}, say('written.ours')),
    !same && fingerprintList(ours, say),
    same && make('p', {}, say(typed ? 'written.same' : unchanged ? 'written.kept' : 'written.none')),
    keys.length > 0 &&
      make(
        'ul',
        { class: 'outcomes' },
        ...keys.map(({ name, outcome }) =>
          make(
            'li',
            {},
            icon(SIGNS[outcome] ?? 'kept'),
            make('span', { class: 'name', translate: 'no' }, name),
            make('span', { class: 'outcome' }, say(`outcome.${outcome}`)),
          )),
      ),
    ...told.map((text) => make('p', { class: 'amber note' }, icon('warn'), message(text))),
    same && make('p', { class: 'close' }, say('written.close')),
  );
}
