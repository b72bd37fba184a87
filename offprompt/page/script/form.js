/**
 * The page's form: everything a person reads and does before the values are written. It holds what is typed, and nothing
 * of the service.
 *
 * @typedef {ReturnType<typeof import('./language.js').language>['say']} Say
 */

import { decline } from './decline.js';
import { make } from './dom.js';
import { draft } from './draft.js';
import { field } from './field.js';
import { generated } from './generated.js';
import { icon } from './icons.js';
import { face, press } from './press.js';
import { where } from './where.js';

/**
 * @param {any} request the page's data
 * @param {Say} say
 * @param {{press: () => void, decline: () => void}} on
 */
export function form(request, say, on) {
  let sending = false;
  let again = false;

  const target = where(request.sink, request.project, say, changed);
  const fields = request.secrets
    .filter((secret) => !secret.generate)
    .map((secret) => field(secret, request.sink.kind, say, { changed, enter: next }));
  const byName = new Map(fields.map((one) => [one.name, one]));
  const button = press(say, () => sending || on.press());
  const no = decline(say, on.decline);
  const problems = make('div', { class: 'problems', role: 'alert' });
  const lost = make('div', { class: 'lost', role: 'status' });

  const element = make(
    'div',
    { class: 'form', role: 'form', 'aria-labelledby': 'title' },
    target.element,
    lost,
    make(
      'section',
      { class: 'values', 'aria-label': say('values') },
      ...request.secrets.map((secret) => (secret.generate ? generated(secret, say) : byName.get(secret.name).element)),
    ),
    problems,
    make('div', { class: 'row actions' }, button.element, no.first),
    no.question,
    make('p', { class: 'promise' }, icon('lock'), make('span', {}, say('write.promise'))),
  );
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing && !sending) on.press();
  });

  function current() {
    return draft(request.secrets, Object.fromEntries(fields.map((one) => [one.name, one.read()])));
  }

  function refresh() {
    if (!sending) button.show(face(current(), target.settled(), again));
  }

  /** What was typed is another thing than what failed. */
  function changed() {
    again = false;
    refresh();
  }

  /** Enter in a field: on to the next that is still to be filled in, at last to the button. Nothing is sent by it. */
  function next(name) {
    const { left } = current();
    const after = left.find((other) => fields.findIndex((one) => one.name === other) > fields.findIndex((one) => one.name === name));
    const to = after ?? left[0];
    if (to !== undefined) byName.get(to).focus();
    else if (!target.settled()) target.focus();
    else button.focus();
  }

  /**
   * @param {string[]} lines
   * @param {'block' | 'warn'} sign
   */
  function showProblems(lines, sign = 'block') {
    problems.className = `problems ${sign}`;
    problems.replaceChildren(...lines.map((line) => make('p', {}, icon(sign), make('span', {}, line))));
  }

  refresh();

  return {
    element,
    draft: current,
    allowed: target.allowed,
    showProblems,

    /** @param {boolean} able */
    enable: (able) => {
      for (const part of [...fields, target, button, no]) part.enable(able);
    },

    /** Names what stands between the form and a press, goes there, and says whether anything does. */
    unready: () => {
      const { left } = current();
      for (const one of fields) {
        const word = left.includes(one.name) ? 'field.missing' : one.flaw();
        one.showErrors(word ? [say(word)] : []);
      }
      const first = fields.find((one) => left.includes(one.name) || one.flaw());
      if (first) first.focus();
      else if (!target.settled()) target.focus();
      return first !== undefined || !target.settled();
    },

    /** @param {boolean} now */
    sending: (now) => {
      sending = now;
      if (now) {
        showProblems([]);
        for (const one of fields) one.showErrors([]);
        button.show({ word: 'write.sending', n: 0, ready: true });
      }
      for (const part of [...fields, target, no]) part.enable(!now);
      button.busy(now);
      refresh();
    },

    /** A press failed, and the next one tries the same again. */
    tryAgain: () => {
      again = true;
      refresh();
    },

    /**
     * The service's lines, each under its field; those of names that have no field, and the form's own, above the button.
     *
     * @param {Record<string, string[]>} errors
     * @param {string[]} lines
     */
    showErrors: (errors, lines) => {
      again = false;
      refresh();
      const wrong = fields.filter((one) => errors[one.name]?.length);
      for (const one of wrong) one.showErrors(errors[one.name]);
      const elsewhere = Object.keys(errors).filter((name) => !byName.has(name)).flatMap((name) => errors[name]);
      const all = [...lines, ...elsewhere];
      showProblems(wrong.length > 0 ? [say('again.fix', { n: wrong.length }), ...all] : all);
      wrong[0]?.focus();
    },

    /** @param {boolean} gone the service stays away: say so, and let what was typed be copied */
    away: (gone) => {
      lost.replaceChildren(...(gone ? [make('h2', {}, icon('warn'), say('away')), make('p', {}, say('away.text'))] : []));
      for (const one of fields) one.offerCopy(gone);
    },

    /** The fields somebody typed in, to be copied and no longer written. */
    typed: () => {
      const kept = fields.filter((one) => one.read().text !== '');
      for (const one of kept) {
        one.showErrors([]);
        one.enable(false);
        one.offerCopy(true);
      }
      return kept.map((one) => one.element);
    },

    wipe: () => fields.forEach((one) => one.wipe()),
  };
}
