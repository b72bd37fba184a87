/** The way to say no. The first press only asks; the second one sends the answer and ends the page. */

import { make } from './dom.js';

/**
 * @param {import('./form.js').Say} say
 * @param {() => void} declined
 */
export function decline(say, declined) {
  const first = make(
    'button',
    { type: 'button', class: 'plain', disabled: true, 'aria-expanded': 'false', onclick: () => ask(true) },
    say('decline'),
  );
  const yes = make('button', { type: 'button', class: 'outline', onclick: declined }, say('decline.yes'));
  const no = make('button', { type: 'button', class: 'plain', onclick: () => ask(false) }, say('decline.no'));
  const question = make('div', { class: 'sure', role: 'group', 'aria-labelledby': 'sure' },
    make('p', { id: 'sure' }, say('decline.sure')), make('div', { class: 'row' }, yes, no));
  question.hidden = true;
  question.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') ask(false);
  });

  function ask(asking) {
    question.hidden = !asking;
    first.setAttribute('aria-expanded', String(asking));
    (asking ? no : first).focus();
  }

  return {
    first,
    question,
    /** @param {boolean} able */
    enable: (able) => {
      for (const button of [first, yes, no]) button.disabled = !able;
    },
  };
}
