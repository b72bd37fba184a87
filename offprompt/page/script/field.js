/** One value to be typed: its name, where it comes from, what will become of it, what is wrong with it. */

import { copyButton } from './copy.js';
import { attribute, make, put } from './dom.js';
import { icon } from './icons.js';
import { entry, reveal } from './masked.js';
import { flaw, tidy } from './value.js';

/**
 * @param {import('./draft.js').Secret} secret
 * @param {string} kind of the sink
 * @param {import('./form.js').Say} say
 * @param {{changed: () => void, enter: (name: string) => void}} on
 */
export function field(secret, kind, say, on) {
  const { name, multiline } = secret;
  const id = `value-${name}`;
  let shown = false;

  const typed = entry(secret, {
    id,
    'aria-describedby': `${id}-about ${id}-state ${id}-errors`,
    enterkeyhint: multiline ? 'enter' : 'next',
    oninput: () => {
      clearErrors();
      refresh();
      on.changed();
    },
    onkeydown: (event) => {
      // A line break belongs to values of several lines only; while an input method composes, Enter is its own.
      if (event.key !== 'Enter' || multiline || event.isComposing || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      on.enter(name);
    },
  });
  const show = secret.secret && make('button', { type: 'button', class: 'quiet', disabled: true, onclick: () => turn(!shown) });
  const copy = copyButton(name, () => typed.value, say);
  copy.hidden = true;
  const empty = !secret.secret && make('input', { type: 'checkbox', disabled: true, onchange: () => (clearErrors(), on.changed()) });
  const emptyLine = empty && make('label', { class: 'tick small' }, empty, make('span', {}, say('field.empty')));
  const state = make('p', { class: 'state', id: `${id}-state` });
  const errors = make('ul', { class: 'errors', id: `${id}-errors` });
  const about = [secret.label, secret.caption].filter(Boolean);

  const element = make(
    'div',
    { class: multiline ? 'field tall' : 'field' },
    make('label', { class: 'name', for: id, translate: 'no' }, name),
    make('div', { class: 'about', id: `${id}-about` }, ...about.map((text) => make('span', {}, make('bdi', {}, text))),
      // Only the registry's links come here, never an agent's.
      secret.url.startsWith('https://') &&
        make('a', { href: secret.url, target: '_blank', rel: 'noopener noreferrer' }, say('field.get'))),
    make('div', { class: 'entry' }, typed, copy, show),
    emptyLine,
    state,
    errors,
  );

  function turn(to) {
    shown = to;
    reveal(typed, shown);
    put(show, say(shown ? 'field.hide' : 'field.show'));
    attribute(show, 'aria-label', say(shown ? 'field.hide.of' : 'field.show.of', { name }));
  }

  function refresh() {
    const text = typed.value;
    // A value of several lines pasted into a field for one gets room, and keeps its lines.
    if (!multiline && typed instanceof HTMLTextAreaElement) {
      const tall = tidy(text, false).includes('\n');
      element.classList.toggle('tall', tall);
      typed.rows = tall ? 5 : 1;
      typed.wrap = tall ? 'soft' : 'off';
    }
    if (emptyLine) emptyLine.hidden = text !== '';
    const replaces = secret.present && text !== '';
    state.className = replaces ? 'state amber' : 'state';
    state.replaceChildren();
    if (replaces) state.append(icon('warn'), make('span', {}, say(kind === 'file' ? 'field.replaces.file' : 'field.replaces')));
    else if (secret.present) state.append(icon('kept'), make('span', {}, say('field.keeps')));
  }

  /** @param {string[]} lines */
  function showErrors(lines) {
    errors.replaceChildren(...lines.map((line) => make('li', {}, icon('block'), make('span', {}, line))));
    element.classList.toggle('wrong', lines.length > 0);
    if (lines.length > 0) typed.setAttribute('aria-invalid', 'true');
    else typed.removeAttribute('aria-invalid');
  }

  function clearErrors() {
    if (element.classList.contains('wrong')) showErrors([]);
  }

  if (show) turn(false);
  refresh();

  return {
    name,
    element,
    showErrors,
    /** @returns {import('./draft.js').Typed} */
    read: () => {
      const text = tidy(typed.value, multiline);
      return { text, empty: text === '' && Boolean(empty && empty.checked) };
    },
    /** The word for what is wrong with it whatever its kind, or null. */
    flaw: () => flaw(typed.value),
    focus: () => typed.focus(),
    /** @param {boolean} able whether it can be typed in; what was typed stays readable */
    enable: (able) => {
      typed.disabled = false;
      typed.readOnly = !able;
      if (show) show.disabled = false;
      if (empty) empty.disabled = !able;
    },
    /** @param {boolean} offered */
    offerCopy: (offered) => {
      copy.hidden = !offered || typed.value === '';
    },
    wipe: () => {
      typed.value = '';
      refresh();
    },
  };
}
