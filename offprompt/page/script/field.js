/** One value: its name, its source, its input, the rules for its form, and what a write does with it. */

import { afterPointer } from './after_pointer.js';
import { checkLines } from './check_lines.js';
import { check } from './checks/check.js';
import { spaced, trim } from './checks/space.js';
import { chooser } from './chooser.js';
import { copyButton } from './copy_button.js';
import { attribute, make, message, put as place } from './dom.js';
import { fieldHead } from './field_head.js';
import { generatedValue } from './generate.js';
import { icon } from './icons.js';
import { flaw, tidy } from './value.js';
import { reveal, valueInput } from './value_input.js';

/**
 * @param {import('./draft.js').Secret} secret
 * @param {{kind: string, logos: Record<string, string>, random: (size: number) => Uint8Array}} facts `kind` is the
 *   sink's
 * @param {import('./form.js').Say} say
 * @param {{changed: () => void, enter: (name: string) => void, chose: (files: FileList) => void}} on
 */
export function field(secret, { kind, logos, random }, say, on) {
  const { name, multiline, generate } = secret;
  const id = `value-${name}`;
  let shown = false;
  /** Whether somebody is typing in it: then it is judged with patience. */
  let typing = false;
  /** Whether its value was pasted: then a space at its end is not the start of another word. */
  let pasted = false;
  /** The value that this browser made, while the field holds it. */
  let own = generate ? generatedValue(generate, random) : null;

  const typed = valueInput(secret, {
    id,
    'aria-describedby': `${id}-about ${id}-agents ${id}-state ${id}-judged ${id}-errors`,
    enterkeyhint: multiline ? 'enter' : 'next',
    onblur: () => afterPointer(() => document.activeElement !== typed && settle()),
    oninput: (event) => {
      pasted = String(event.inputType).startsWith('insertFrom');
      typing = true;
      edited();
    },
    onkeydown: (event) => {
      // A line break belongs to values of several lines only; while an input method composes, Enter is its own.
      if (event.key !== 'Enter' || multiline || event.isComposing || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      on.enter(name);
    },
  });
  const quiet = { type: 'button', class: 'quiet', disabled: true };
  const show = secret.secret && make('button', { ...quiet, onclick: () => turn(!shown) });
  const remake = () => put(generatedValue(generate, random), true);
  const again =
    generate &&
    make('button', { ...quiet, 'aria-label': say('made.again.of', { name }), onclick: remake }, say('made.again'));
  const choose = multiline && chooser(say('field.file'), say('field.file.of', { name }), on.chose);
  const copy = copyButton(name, () => typed.value, say);
  copy.hidden = true;
  const ticked = () => (clearErrors(), on.changed());
  const empty = !secret.secret && make('input', { type: 'checkbox', disabled: true, onchange: ticked });
  const emptyLine = empty && make('label', { class: 'tick small' }, empty, make('span', {}, say('field.empty')));
  const state = make('p', { class: 'state', id: `${id}-state` });
  const lines = checkLines(`${id}-judged`, () => (put(trim(read())), typed.focus()), say);
  const errors = make('ul', { class: 'errors', id: `${id}-errors` });

  const tools = make('div', { class: 'tools' }, copy, choose && choose.element, again, show);

  const element = make(
    'div',
    { class: multiline ? 'field tall' : 'field' },
    ...fieldHead(secret, id, logos, say),
    make('div', { class: 'entry' }, typed, tools),
    emptyLine,
    state,
    lines.element,
    errors,
  );

  const read = () => tidy(typed.value, multiline);

  function turn(to) {
    shown = to;
    reveal(typed, shown);
    place(show, say(shown ? 'field.hide' : 'field.show'));
    attribute(show, 'aria-label', say(shown ? 'field.hide.of' : 'field.show.of', { name }));
  }

  function edited() {
    clearErrors();
    refresh();
    on.changed();
  }

  /** Nobody types in it any more: a value that is too short is now wrong. */
  function settle() {
    typing = false;
    refresh();
  }

  /**
   * @param {string} text
   * @param {boolean} [ours] this browser made it
   */
  function put(text, ours = false) {
    typed.value = text;
    pasted = true;
    if (ours) own = text;
    edited();
  }

  function judge() {
    const text = read();
    const checked = check(secret, text, { typing });
    // A value that this browser made needs no remark, except on its name.
    if (text === own) {
      Object.assign(checked, { lines: checked.lines.filter(({ state }) => state === 'warn'), summary: null });
    }
    const loose = !multiline && spaced(typing && !pasted ? `${text}.` : text);
    return { checked, loose };
  }

  function refresh() {
    const text = read();
    // A value of several lines pasted into a field for one gets room, and keeps its lines.
    if (!multiline && typed instanceof HTMLTextAreaElement) {
      const tall = text.includes('\n');
      element.classList.toggle('tall', tall);
      typed.rows = tall ? 5 : 1;
      typed.wrap = tall ? 'soft' : 'off';
    }
    if (emptyLine) emptyLine.hidden = text !== '';
    const [sign, word] = fate(text);
    state.className = sign === 'warn' ? 'state amber' : 'state';
    state.replaceChildren(...(word ? [icon(sign), make('span', {}, word)] : []));
    const { checked, loose } = judge();
    lines.show(checked, text === '', loose);
    mark(checked.blocks);
  }

  /** What a write does with the text: [sign, words]. */
  function fate(text) {
    if (generate) {
      if (text === own) return ['spark', say('made', { n: generate.bytes, encoding: generate.encoding })];
      return text === '' ? ['spark', say('made.later')] : ['', ''];
    }
    if (!secret.present) return ['', ''];
    if (text === '') return ['kept', say('field.keeps')];
    return ['warn', say(kind === 'file' ? 'field.replaces.file' : 'field.replaces')];
  }

  /** @param {boolean} blocked the value cannot be written */
  function mark(blocked) {
    const wrong = blocked || errors.childElementCount > 0;
    element.classList.toggle('wrong', wrong);
    if (wrong) typed.setAttribute('aria-invalid', 'true');
    else typed.removeAttribute('aria-invalid');
  }

  /** @param {string[]} said */
  function showErrors(said) {
    errors.replaceChildren(...said.map((text) => make('li', {}, icon('block'), message(text))));
    mark(judge().checked.blocks);
  }

  function clearErrors() {
    if (errors.childElementCount > 0) showErrors([]);
  }

  if (own !== null) typed.value = own;
  if (show) turn(false);
  refresh();

  return {
    name,
    element,
    typed,
    multiline,
    showErrors,
    put,
    /** @returns {import('./draft.js').Typed} */
    read: () => {
      const text = read();
      return { text, empty: text === '' && Boolean(empty && empty.checked) };
    },
    /** Whether a person typed or pasted its value. */
    touched: () => typed.value !== '' && typed.value !== own,
    /** Return the key of the words for what no value may hold, or null. */
    flaw: () => flaw(typed.value),
    /**
     * Return '' when nothing speaks against its value, 'warns' for a doubt, 'blocks' for a refusal. An empty field
     * writes nothing.
     */
    verdict: () => {
      settle();
      const { checked, loose } = judge();
      if (typed.value === '') return '';
      return checked.blocks ? 'blocks' : checked.warns || loose ? 'warns' : '';
    },
    focus: () => typed.focus(),
    /** @param {boolean} to it can be typed in; its value stays readable in any case */
    enable: (to) => {
      typed.disabled = false;
      typed.readOnly = !to;
      if (show) show.disabled = false;
      for (const part of [again, empty, choose]) if (part) part.disabled = !to;
    },
    /** @param {boolean} offered */
    offerCopy: (offered) => {
      copy.hidden = !offered || typed.value === '';
    },
    wipe: () => {
      own = null;
      typed.value = '';
      refresh();
    },
  };
}
