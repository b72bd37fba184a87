/**
 * The element that a value is typed into.
 *
 * A text area that the style sheet masks, and no password input: no browser takes it for a login, fills it, offers to
 * save it or remembers it, and one element serves a line and a PEM alike (tests/browser/test_saving.py). It has no name
 * and stands in no form, so nothing can submit it.
 */

import { make } from './dom.js';

/** Attributes that keep browsers' helpers, password managers and writing aids away. */
const LEFT_ALONE = {
  autocomplete: 'off',
  autocapitalize: 'off',
  autocorrect: 'off',
  spellcheck: 'false',
  writingsuggestions: 'false',
  translate: 'no',
  'data-1p-ignore': 'true', // 1Password
  'data-op-ignore': 'true', // 1Password, older
  'data-bwignore': 'true', // Bitwarden
  'data-lpignore': 'true', // LastPass
  'data-protonpass-ignore': 'true', // Proton Pass
  'data-form-type': 'other', // Dashlane
  'data-gramm': 'false', // Grammarly
  'data-gramm_editor': 'false',
  'data-enable-grammarly': 'false',
  'data-lt-active': 'false', // LanguageTool
  'data-ms-editor': 'false', // Microsoft Editor
};

/** Return whether the style sheet can mask: every engine since Firefox 111 (March 2023) does. */
const MASKS = () => CSS.supports('-webkit-text-security', 'disc');

/**
 * @param {{secret: boolean, multiline: boolean}} kind
 * @param {Record<string, any>} attributes more of them
 * @returns {HTMLTextAreaElement | HTMLInputElement} disabled
 */
export function valueInput({ secret, multiline }, attributes) {
  const all = { ...LEFT_ALONE, ...attributes, disabled: true, class: secret ? 'typed masked' : 'typed' };
  if (secret && !multiline && !MASKS()) return make('input', { ...all, type: 'password' });
  return make('textarea', { ...all, rows: multiline ? 5 : 1, wrap: multiline ? 'soft' : 'off' });
}

/**
 * @param {HTMLTextAreaElement | HTMLInputElement} element
 * @param {boolean} shown
 */
export function reveal(element, shown) {
  element.classList.toggle('masked', !shown);
  if (element instanceof HTMLInputElement) element.type = shown ? 'text' : 'password';
}
