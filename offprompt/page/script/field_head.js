/** The head of a field: the name, whose value it is, the way to where it is made, and the agent's words. */

import { make } from './dom.js';
import { icon, logo } from './icons.js';

/**
 * Return the agent's words about one value, marked as the agent's: the page's own words never look so.
 *
 * @param {string} caption
 * @param {string} id
 * @param {import('./form.js').Say} say
 */
export const agentsWords = (caption, id, say) =>
  make(
    'p',
    { class: 'agents', id },
    make('span', { class: 'says' }, icon('speech'), make('span', {}, say('says'))),
    ' ',
    make('bdi', {}, caption),
  );

/**
 * @param {import('./draft.js').Secret} secret
 * @param {string} id of the element that the name is the label of
 * @param {Record<string, string>} logos by provider
 * @param {import('./form.js').Say} say
 * @returns {Node[]}
 */
export function fieldHead({ name, label, caption, url, key }, id, logos, say) {
  const picture = key && logos[key.id.split('/')[0]];
  const parts = [
    label && make('span', { class: 'whose' }, picture && logo(picture), make('bdi', {}, label)),
    // Only the registry's links come here, never an agent's.
    url.startsWith('https://') &&
      make(
        'a',
        { href: url, target: '_blank', rel: 'noopener noreferrer' },
        say(key ? 'field.get.from' : 'field.get', { provider: key?.provider }),
        icon('out'),
      ),
  ];
  return [
    make('label', { class: 'name', for: id, translate: 'no' }, name),
    make('div', { class: 'about', id: `${id}-about` }, ...parts),
    ...(caption ? [agentsWords(caption, `${id}-agents`, say)] : []),
  ];
}
