/** A button that copies a typed value when the page can no longer write it. */

import { attribute, make, put } from './dom.js';

/** How long the button shows its result, in ms: long enough to read, short enough to press again. */
const SAID_FOR = 2000;

/**
 * @param {string} name of the value
 * @param {() => string} text
 * @param {import('./form.js').Say} say
 */
export function copyButton(name, text, say) {
  const rest = () => {
    put(button, say('field.copy'));
    attribute(button, 'aria-label', say('field.copy.of', { name }));
  };
  const tell = (key) => {
    put(button, say(key));
    attribute(button, 'aria-label', null);
    setTimeout(rest, SAID_FOR);
  };
  const button = make('button', {
    type: 'button',
    class: 'quiet',
    'aria-live': 'polite',
    onclick: async () => {
      try {
        await navigator.clipboard.writeText(text());
        tell('field.copied');
      } catch {
        tell('field.uncopied');
      }
    },
  });
  rest();
  return button;
}
