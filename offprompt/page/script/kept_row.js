/** The row of a generated value that the file already holds: it is kept, and none is made. */

import { make } from './dom.js';
import { agentsWords } from './field_head.js';
import { icon } from './icons.js';

/**
 * @param {import('./draft.js').Secret} secret with `generate`, and `present`
 * @param {import('./form.js').Say} say
 */
export function keptRow(secret, say) {
  return make(
    'div',
    { class: 'field made' },
    make('p', { class: 'name', translate: 'no' }, secret.name),
    secret.caption && agentsWords(secret.caption, `value-${secret.name}-agents`, say),
    make('p', { class: 'state' }, icon('kept'), make('span', {}, say('generated.kept'))),
  );
}
