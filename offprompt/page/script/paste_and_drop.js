/**
 * Many values at once: `NAME=value` lines pasted anywhere, a file pasted, dropped or chosen. All is read in the page. A
 * paste that names none of the keys is left to the browser.
 */

import { MAX_FILE, textOf } from './file_text.js';
import { chooser } from './chooser.js';
import { make } from './dom.js';
import { valuesFor } from './dotenv_values.js';
import { tidy, tooLong } from './value.js';

/** @typedef {ReturnType<typeof import('./field.js').field>} Field */

/**
 * @param {any} request the page's data
 * @param {Field[]} fields
 * @param {import('./form.js').Say} say
 * @param {{ready: () => boolean, named: (found: import('./dotenv_values.js').Named) => void, whole: (field: Field,
 *   text: string) => void, refused: (word: string) => void}} on `named`: a text has values; `whole`: a file is one
 *   value; `refused`: why nothing was taken
 */
export function pasteAndDrop({ secrets, sink }, fields, say, on) {
  const dotenv = sink.kind === 'dotenv';
  const choose = chooser(say('bring.choose'), say('bring.choose'), (files) => take(files, null));
  const drop = make('div', { class: 'drop', hidden: true, 'aria-hidden': 'true' }, make('p', {}, say('bring.drop')));

  /** @param {EventTarget | null} at @returns {Field | null} */
  const fieldAt = (at) => fields.find((one) => at instanceof Node && one.element.contains(at)) ?? null;

  /** @param {string} text @param {boolean} file tell of names without a usable value, too */
  function lines(text, file) {
    if (!dotenv || text.length > MAX_FILE || !/[=:]/.test(text)) return false;
    const found = valuesFor(text, secrets);
    const told = file && found.unclear.length + found.empty.length > 0;
    if (Object.keys(found.values).length === 0 && !told) return false;
    on.named(found);
    return true;
  }

  /**
   * @param {FileList} files
   * @param {Field | null} onto where it was dropped
   */
  async function take(files, onto) {
    if (files.length === 0) return;
    if (files.length > 1) return on.refused('bring.many');
    const [file] = files;
    if (file.size > MAX_FILE) return on.refused('bring.large');
    const bytes = await file.arrayBuffer().catch(() => null); // a folder, or a file that has gone
    if (!on.ready()) return;
    if (bytes === null) return on.refused('bring.unreadable');
    const text = textOf(new Uint8Array(bytes));
    if (text === null) return on.refused('bring.binary');
    if (lines(text, true)) return;
    const tall = fields.filter((one) => one.multiline);
    const field = onto ?? (tall.length === 1 ? tall[0] : fields.length === 1 ? fields[0] : null);
    if (field === null || (!field.multiline && tidy(text, false).includes('\n'))) return on.refused('bring.none');
    if (tooLong(text)) return on.refused('bring.long');
    on.whole(field, tidy(text, field.multiline));
  }

  /** @param {ClipboardEvent} event */
  function pasted(event) {
    const data = event.clipboardData;
    if (!data || !on.ready()) return;
    const field = fieldAt(event.target);
    const text = data.getData('text/plain');
    if (text === '' && data.files.length > 0) {
      event.preventDefault();
      take(data.files, field);
    } else if (lines(text, false)) {
      event.preventDefault();
    } else if (field && tooLong(text)) {
      event.preventDefault();
      field.showErrors([say('field.long')]);
    } else if (field && tidy(text, field.multiline) !== text) {
      event.preventDefault();
      insert(field.typed, tidy(text, false));
    }
  }

  /** @param {DragEvent} event */
  const carriesFile = (event) => Boolean(event.dataTransfer?.types.includes('Files'));

  /** @param {DragEvent} event */
  function over(event) {
    if (!carriesFile(event)) return;
    event.preventDefault(); // or the browser opens the file in place of the page
    event.dataTransfer.dropEffect = on.ready() ? 'copy' : 'none';
    drop.hidden = !on.ready();
  }

  /** @param {DragEvent} event */
  function dropped(event) {
    if (!carriesFile(event)) return;
    event.preventDefault();
    drop.hidden = true;
    if (on.ready()) take(event.dataTransfer.files, fieldAt(event.target));
  }

  const left = (event) => event.relatedTarget === null && (drop.hidden = true);
  const listeners = [
    ['paste', pasted],
    ['dragenter', over],
    ['dragover', over],
    ['dragleave', left],
    ['drop', dropped],
  ];
  for (const [event, listener] of listeners) document.addEventListener(event, listener);

  return {
    drop,
    /** The hint at these ways, where there is more than one field. */
    hint: dotenv && fields.length > 1 && make('p', { class: 'hint' }, make('span', {}, say('bring')), choose.element),
    take,
    /** @param {boolean} able */
    enable: (able) => {
      choose.disabled = !able;
    },
    stop: () => {
      for (const [event, listener] of listeners) document.removeEventListener(event, listener);
      // A file dropped on a page that takes nothing any more must not open in its place.
      const keepOut = (event) => carriesFile(event) && event.preventDefault();
      for (const event of ['dragover', 'drop']) document.addEventListener(event, keepOut);
    },
  };
}

/**
 * Insert as if typed, so that the browser's undo works.
 *
 * @param {HTMLTextAreaElement | HTMLInputElement} typed
 * @param {string} text
 */
function insert(typed, text) {
  if (document.execCommand('insertText', false, text)) return;
  typed.setRangeText(text, typed.selectionStart, typed.selectionEnd, 'end');
  typed.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }));
}
