/**
 * The language of the page, and the switch to another. One catalogue comes with the page; another is fetched when a
 * person chooses it, and every phrase is said again in its place. No element is made anew, so values, focus and a write
 * under way stay as they are.
 */

import { attribute, sayAgain } from './dom.js';
import { Phrase, vocabulary } from './words.js';

/**
 * @param {import('./words.js').Catalogue} first the catalogue that came with the page
 * @param {Record<string, unknown>} facts that every phrase may use
 */
export function language(first, facts) {
  const known = new Map([[first.lang, first]]);
  let say = vocabulary(first, facts);

  return {
    say: Object.assign(
      /**
       * @param {string} key
       * @param {Record<string, unknown>} [more]
       */
      (key, more) => new Phrase(() => say(key, more)),
      {
        /**
         * Return a phrase made of several.
         *
         * @param {(words: import('./words.js').Words) => string} said
         */
        by: (said) => new Phrase(() => said(say)),
      },
    ),

    /**
     * @param {HTMLSelectElement} select its options' values are the languages there are
     * @param {(lang: string) => Promise<{status: number, body: any}>} ask for the catalogue of a language
     * @param {() => void} changed
     */
    offer: (select, ask, changed) => {
      select.value = first.lang;
      attribute(select, 'aria-label', new Phrase(() => say('language')));
      select.parentElement.hidden = false;
      let shown = first.lang;
      select.addEventListener('change', async () => {
        const wanted = select.value;
        select.setCustomValidity('');
        if (!known.has(wanted)) {
          const { status, body } = await ask(wanted);
          if (status === 200 && body?.lang === wanted) known.set(wanted, body);
        }
        if (select.value !== wanted) return; // something else was chosen meanwhile
        const catalogue = known.get(wanted);
        if (catalogue === undefined) {
          select.value = shown;
          select.setCustomValidity(say('language.failed'));
          select.reportValidity();
          return;
        }
        shown = wanted;
        say = vocabulary(catalogue, facts);
        document.documentElement.lang = catalogue.lang;
        document.documentElement.dir = catalogue.dir;
        sayAgain();
        changed();
      });
    },
  };
}
