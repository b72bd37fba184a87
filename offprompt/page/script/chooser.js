/** A button to choose a file with. The page reads the file and sends nothing of it. */

import { make } from './dom.js';

/**
 * @param {string} label
 * @param {string} name spoken instead of the label
 * @param {(files: FileList) => void} chose
 */
export function chooser(label, name, chose) {
  const input = make('input', {
    type: 'file',
    hidden: true,
    tabindex: '-1',
    'aria-hidden': 'true',
    onchange: () => {
      chose(input.files);
      input.value = ''; // the same file can be chosen again
    },
  });
  const button = make(
    'button',
    { type: 'button', class: 'quiet', disabled: true, 'aria-label': name, onclick: () => input.click() },
    label,
  );
  return {
    element: make('span', { class: 'chooser' }, button, input),
    /** @param {boolean} off */
    set disabled(off) {
      button.disabled = off;
    },
  };
}
