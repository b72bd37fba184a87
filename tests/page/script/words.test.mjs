import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { Phrase, vocabulary } from '../../../offprompt/page/script/words.js';

const ROOM = new URL('../../../offprompt/page/', import.meta.url);
const ENGLISH = JSON.parse(readFileSync(new URL('words/en.json', ROOM), 'utf8'));
const SOURCES = readdirSync(new URL('script/', ROOM)).filter((name) => name.endsWith('.js'));
const source = SOURCES.map((name) => readFileSync(new URL(`script/${name}`, ROOM), 'utf8')).join('\n');

const say = vocabulary(ENGLISH, { host: 'Codex', path: '.env', project: 'shop' });

test('a phrase is filled with facts and takes its plural', () => {
  assert.equal(say('write', { n: 1 }), 'Write 1 value to .env');
  assert.equal(say('write', { n: 3 }), 'Write 3 values to .env');
  assert.equal(say('title'), 'Codex asks you to fill in .env');
});

test('a fact that looks like a place for another stays as it is', () => {
  const odd = vocabulary(ENGLISH, { host: '{path}', path: '.env', project: '' });
  assert.equal(odd('title'), '{path} asks you to fill in .env');
});

test('a fact that turns the direction of text cannot turn the sentence', () => {
  const odd = vocabulary(ENGLISH, { host: '\u202eedoC', path: '.env', project: '' });
  assert.equal(odd('title'), '\u2068\u202eedoC\u2069 asks you to fill in .env');
});

test('in a language from right to left every fact is set apart, but numbers', () => {
  const right = vocabulary({ lang: 'ar', dir: 'rtl', page: { says: '{path} {n}' } }, { path: '.env' });
  assert.equal(right('says', { n: 3 }), '\u2068.env\u2069 3');
});

test('a list is said as the language says one', () => {
  const words = (lang) => vocabulary({ lang, dir: 'ltr', page: {} }, {});
  assert.equal(words('en').any(['sk_', 'rk_', 'pk_']), 'sk_, rk_, or pk_');
  assert.equal(words('de').any(['sk_', 'rk_', 'pk_']), 'sk_, rk_ oder pk_');
  assert.equal(words('fr').all(['a', 'b']), 'a et b');
});

test('code is not turned around', () => {
  assert.equal(vocabulary({ lang: 'ar', dir: 'rtl', page: {} }, {}).code('sk_'), '\u2066sk_\u2069');
  assert.equal(say.code('sk_'), 'sk_');
});

test('a phrase that is several gives the one that is picked', () => {
  assert.equal(say('emoji', { pick: 0 }), 'dog');
  assert.equal(say('emoji', { pick: 63 }), 'clock');
  assert.equal(say('emoji', { pick: -1 }), '');
});

test('a phrase says what holds when it is said', () => {
  let word = 'one';
  const phrase = new Phrase(() => word);
  assert.equal(`${phrase}`, 'one');
  word = 'two';
  assert.equal(`${phrase}`, 'two');
  assert.equal(vocabulary({ lang: 'en', dir: 'ltr', page: { a: '<{fact}>' } }, { fact: phrase })('a'), '<two>');
});

test('every phrase of the catalogue is said somewhere, and every phrase that is said is in it', () => {
  const html = ['title', 'says', 'noscript'];
  const built = Object.keys(ENGLISH.page).filter((key) => /^(bar|outcome|where\.trusted|ended|written\.fault|cut|unfit|check|format|looks|chars|write\.(again|anyway))/.test(key));
  const texts = new Set([...source.matchAll(/'([a-z]+(?:\.[a-z]+)*)'/g)].map(([, key]) => key));
  for (const key of Object.keys(ENGLISH.page)) assert.ok(texts.has(key) || html.includes(key) || built.includes(key), key);
  for (const [, key] of source.matchAll(/say\(\s*'([^']+)'/g)) assert.ok(key in ENGLISH.page, key);
  for (const [, key] of source.matchAll(/'((?:where|field|again|write|left|generated)\.[a-z.]+)'/g)) assert.ok(key in ENGLISH.page, key);
});

test('every state that ends the page has its heading and its text', () => {
  for (const word of ['ended.expired', 'ended.cancelled', 'ended.written', 'ended.declined', 'cut', 'unfit']) {
    assert.ok(say(word) && say(`${word}.text`));
  }
});
