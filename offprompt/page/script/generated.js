/** One value that nobody types: the service makes it when the button is pressed, or the file already holds it. */

import { make } from './dom.js';
import { icon } from './icons.js';

/**
 * @param {import('./draft.js').Secret} secret with `generate`
 * @param {import('./form.js').Say} say
 */
export function generated(secret, say) {
  const { bytes, encoding } = secret.generate;
  const about = secret.present ? say('generated.kept') : say('generated.made', { n: bytes, encoding });
  return make(
    'div',
    { class: 'field made' },
    make('p', { class: 'name', translate: 'no' }, secret.name),
    secret.caption && make('div', { class: 'about' }, make('span', {}, make('bdi', {}, secret.caption))),
    make('p', { class: 'state' }, icon(secret.present ? 'kept' : 'spark'), make('span', {}, about)),
  );
}
