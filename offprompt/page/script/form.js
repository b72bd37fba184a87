/**
 * The page's form: all that a person reads and does before the values are written. It holds the typed values and knows
 * nothing of the service.
 *
 * @typedef {ReturnType<typeof import('./language.js').language>['say']} Say
 */

import { decline } from './decline.js';
import { destination } from './destination.js';
import { make, message } from './dom.js';
import { draft } from './draft.js';
import { field } from './field.js';
import { icon } from './icons.js';
import { keptRow } from './kept_row.js';
import { pasteAndDrop } from './paste_and_drop.js';
import { pasteSummary } from './paste_summary.js';
import { face, writeButton } from './write_button.js';

/**
 * @param {any} request the page's data
 * @param {Say} say
 * @param {(size: number) => Uint8Array} random
 * @param {{press: () => void, decline: () => void, touched: (now: boolean) => void}} on `touched`: whether typed values
 *   would be lost now
 */
export function form(request, say, random, on) {
  let able = false;
  let sending = false;
  /** What the next press means: see `face`. */
  let second = '';

  const { secrets, sink } = request;
  const held = secrets.filter(({ present }) => present).length;
  const target = destination(sink, request.project, { held, asked: secrets.length }, say, changed);
  const facts = { kind: sink.kind, logos: request.icons ?? {}, random };
  const fields = secrets
    .filter(({ generate, present }) => !(generate && present))
    .map((secret) => {
      const chose = (files) => brought.take(files, byName.get(secret.name));
      return field(secret, facts, say, { changed, enter: next, chose });
    });
  const byName = new Map(fields.map((one) => [one.name, one]));
  const summary = pasteSummary(say);
  const ready = () => able && !sending;
  const brought = pasteAndDrop(request, fields, say, { ready, named, whole, refused: summary.say });
  const button = writeButton(say, () => sending || on.press());
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
      brought.hint,
      ...secrets.map((secret) => byName.get(secret.name)?.element ?? keptRow(secret, say)),
    ),
    summary.element,
    problems,
    make('div', { class: 'row actions' }, button.element, no.first),
    no.question,
    make('p', { class: 'promise' }, icon('lock'), make('span', {}, say('write.promise'))),
    brought.drop,
  );
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing && !sending) on.press();
  });

  function current() {
    return draft(secrets, Object.fromEntries(fields.map((one) => [one.name, one.read()])));
  }

  function refresh() {
    if (!sending) button.show(face(current(), target.settled(), second));
  }

  /** The values are no longer those that failed or raised a doubt. */
  function changed() {
    if (second === 'anyway') showProblems([]);
    second = '';
    refresh();
    on.touched(fields.some((one) => one.touched()));
  }

  /** Enter goes on to the next empty field, at last to the button. It sends nothing. */
  function next(name) {
    const { left } = current();
    const at = (wanted) => fields.findIndex((one) => one.name === wanted);
    const after = left.find((other) => at(other) > at(name));
    const to = after ?? left[0];
    if (to !== undefined) byName.get(to).focus();
    else if (!target.settled()) target.focus();
    else button.focus();
  }

  /** @param {import('./dotenv_values.js').Named} found */
  function named({ values, ...rest }) {
    put(values, rest);
  }

  /**
   * @param {import('./paste_and_drop.js').Field} field
   * @param {string} text
   */
  function whole({ name }, text) {
    put({ [name]: text }, {});
  }

  /**
   * Fill the fields, say what was taken, and go on where a person is needed.
   *
   * @param {Record<string, string>} values
   * @param {Partial<import('./dotenv_values.js').Named>} more
   */
  function put(values, more) {
    const taken = fields.filter(({ name }) => name in values);
    const before = taken.map((one) => [one, one.read().text]);
    for (const one of taken) one.put(values[one.name]);
    const after = new Map(taken.map((one) => [one, one.read().text]));
    const fix = taken.filter((one) => one.flaw() || one.verdict());
    const names = (of) => of.map(({ name }) => name);
    summary.show(
      { unclear: [], empty: [], kept: [], others: [], ...more, taken: names(taken), fix: names(fix) },
      () => {
        if (sending) return;
        // Values typed since then stay.
        for (const [one, text] of before) if (one.read().text === after.get(one)) one.put(text);
        summary.say('fill.undone');
        (before[0]?.[0] ?? button).focus();
      },
    );
    if (fix.length > 0) fix[0].focus();
    else next(fields[0].name);
  }

  /**
   * @param {string[]} lines
   * @param {'block' | 'warn'} sign
   */
  function showProblems(lines, sign = 'block') {
    problems.className = `problems ${sign}`;
    problems.replaceChildren(...lines.map((text) => make('p', {}, icon(sign), message(text))));
  }

  refresh();

  return {
    element,
    draft: current,
    allowed: target.allowed,
    showProblems,

    /** @param {boolean} to */
    enable: (to) => {
      able = to;
      for (const part of [...fields, target, button, no, brought]) part.enable(to);
    },

    /** Name what keeps the form from being written, go there, and return whether there is anything. */
    unready: () => {
      const { left } = current();
      const verdicts = new Map(fields.map((one) => [one, one.verdict()]));
      for (const one of fields) {
        const word = left.includes(one.name) ? 'field.missing' : one.flaw();
        one.showErrors(word ? [say(word)] : []);
      }
      const first = fields.find((one) => left.includes(one.name) || one.flaw() || verdicts.get(one) === 'blocks');
      if (first) {
        first.focus();
        return true;
      }
      if (!target.settled()) {
        target.focus();
        return true;
      }
      const doubted = fields.filter((one) => verdicts.get(one) === 'warns');
      if (doubted.length === 0 || second) return false;
      second = 'anyway';
      showProblems([say('again.look', { n: doubted.length })], 'warn');
      refresh();
      doubted[0].focus();
      return true;
    },

    /** @param {boolean} now */
    sending: (now) => {
      sending = now;
      if (now) {
        showProblems([]);
        for (const one of fields) one.showErrors([]);
        button.show({ word: 'write.sending', n: 0, ready: true });
      }
      for (const part of [...fields, target, no, brought]) part.enable(!now);
      button.busy(now);
      refresh();
    },

    /** A press failed; the next one tries the same again. */
    tryAgain: () => {
      second = 'again';
      refresh();
    },

    /**
     * Show the service's lines, each under its field. Lines for names without a field, and for the form, stand above
     * the button.
     *
     * @param {Record<string, string[]>} errors
     * @param {string[]} lines
     */
    showErrors: (errors, lines) => {
      second = '';
      refresh();
      const wrong = fields.filter((one) => errors[one.name]?.length);
      for (const one of wrong) one.showErrors(errors[one.name]);
      const elsewhere = Object.keys(errors).filter((name) => !byName.has(name)).flatMap((name) => errors[name]);
      const all = [...lines, ...elsewhere];
      showProblems(wrong.length > 0 ? [say('again.fix', { n: wrong.length }), ...all] : all);
      wrong[0]?.focus();
    },

    /** @param {boolean} gone the service stays away: say so, and offer to copy the values */
    away: (gone) => {
      const words = () => [make('h2', {}, icon('warn'), say('away')), make('p', {}, say('away.text'))];
      lost.replaceChildren(...(gone ? words() : []));
      for (const one of fields) one.offerCopy(gone);
    },

    /**
     * Return the fields that a person typed in, to copy from and no longer to write.
     *
     * @param {string[]} [names] only of these
     */
    typed: (names) => {
      const kept = fields.filter((one) => one.touched() && (names === undefined || names.includes(one.name)));
      for (const one of kept) {
        one.showErrors([]);
        one.enable(false);
        one.offerCopy(true);
      }
      return kept.map((one) => one.element);
    },

    /** Nothing can be written any more: leave pastes and files to the browser. */
    close: () => {
      able = false;
      brought.stop();
    },

    wipe: () => {
      summary.clear();
      for (const one of fields) one.wipe();
      on.touched(false);
    },
  };
}
