import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { vocabulary } from '../../../offprompt/page/script/words.js';

const WORDS = new URL('../../../offprompt/page/words/', import.meta.url);
const CATALOGUES = readdirSync(WORDS).map((name) => JSON.parse(readFileSync(new URL(name, WORDS), 'utf8')));

for (const catalogue of CATALOGUES) {
  test(`${catalogue.lang}: every number has its form, and no form is for no number`, () => {
    const plural = new Intl.PluralRules(catalogue.lang);
    assert.equal(plural.resolvedOptions().locale, catalogue.lang.split('-')[0]); // node knows the language
    const { pluralCategories } = plural.resolvedOptions();
    for (const [key, phrase] of Object.entries(catalogue.page)) {
      if (typeof phrase !== 'string') assert.deepEqual(Object.keys(phrase).sort(), [...pluralCategories].sort(), key);
    }
  });
}

test('numbers are said as the language says them', () => {
  const said = (lang, n) => vocabulary(CATALOGUES.find((one) => one.lang === lang), { host: 'Codex', path: '.env' })('write', { n });
  assert.equal(said('de', 1), '1 Wert in .env schreiben');
  assert.equal(said('fr', 0), 'Écrire 0 valeur dans .env');
  assert.equal(said('fr', 2), 'Écrire 2 valeurs dans .env');
  assert.equal(said('ja', 1), '1 個の値を .env に書き込む');
  assert.equal(said('ar', 2), 'اكتب قيمتين في \u2068.env\u2069');
  assert.equal(said('ar', 3), 'اكتب 3 قيم في \u2068.env\u2069');
  assert.equal(said('ar', 11), 'اكتب 11 قيمة في \u2068.env\u2069');
});
