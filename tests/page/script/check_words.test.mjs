import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { chosen, lineWords, summaryWords } from '../../../offprompt/page/script/check_words.js';
import { vocabulary } from '../../../offprompt/page/script/words.js';

const ROOM = new URL('../../../offprompt/', import.meta.url);
const ENGLISH = JSON.parse(readFileSync(new URL('page/words/en.json', ROOM), 'utf8'));
const say = vocabulary(ENGLISH, { host: 'Codex', path: '.env' });
const words = (id, state, facts) => lineWords({ id, state, ...facts }, say);

test('each rule is a sentence that reads well in every state', () => {
  assert.equal(words('starts_with', 'pending', { prefixes: ['sk_live_', 'sk_test_', 'rk_live_'] }), 'It has to start with sk_live_, sk_test_, or rk_live_.');
  assert.equal(words('usually', 'pass', { prefixes: ['AIza'] }), 'It usually starts with AIza.');
  assert.equal(words('length', 'pending', { min: 20, max: 80, n: 0 }), 'It has to have 20 to 80 characters.');
  assert.equal(words('length', 'pending', { min: 20, max: 80, n: 14 }), 'It has to have 20 to 80 characters, and has 14 so far.');
  assert.equal(words('length', 'warn', { min: 40, max: 40, n: 14 }), 'It has to have exactly 40 characters, and has 14 so far.');
  assert.equal(words('length', 'warn', { min: 40, max: 40, n: 41 }), 'It has to have exactly 40 characters.');
  assert.equal(words('length', 'pass', { min: 20, max: 512, n: 30 }), 'It has to have at least 20 characters.');
  assert.equal(words('length', 'warn', { min: 20, max: 512, n: 600 }), 'It has to have 20 to 512 characters.');
  const set = { letters: 'all', digits: true, hex: false, signs: '_-' };
  assert.equal(words('charset', 'warn', set), 'It may hold only letters, digits, _, and -.');
  assert.equal(words('charset', 'warn', { ...set, letters: '', digits: false, hex: true, signs: '' }), 'It may hold only digits and a to f.');
  assert.equal(words('format', 'pass', { format: 'postgres_url', why: '' }), 'It has to be a Postgres URL.');
  assert.equal(words('format', 'warn', { format: 'postgres_url', why: 'other' }), 'It does not look like a Postgres URL.');
  assert.equal(words('format', 'fail', { format: 'integer', why: 'other' }), 'This is not a whole number.');
  assert.equal(words('generated', 'warn', { bytes: 32, encoding: 'hex', why: 'short' }), 'It is shorter than 32 bytes as hex.');
  assert.equal(words('other_key', 'warn', { provider: 'OpenAI', label: 'API key', an: true }), 'This looks like an OpenAI API key.');
  const sibling = { label: 'publishable key', own: 'secret key', same_page: true };
  assert.equal(words('sibling', 'warn', sibling), 'That is the publishable key; use the secret key from the same page.');
  const either = { forms: [{ prefixes: ['re_'], min: 20, max: 40, ...set }, { prefixes: [], min: 32, max: 32, ...set }] };
  assert.equal(words('either', 'pending', either), 'It has to fit one of these forms: starts with re_, 20 to 40 characters or exactly 32 characters.');
});

test('what passed is one line', () => {
  assert.equal(summaryWords({ id: 'looks_like', provider: 'Stripe', label: 'secret key', an: false }, say), 'This looks like a Stripe secret key.');
  assert.equal(summaryWords({ id: 'fits', provider: 'Axiom', label: 'API token', an: true }, say), 'This fits an Axiom API token.');
  assert.equal(summaryWords({ id: 'is', format: 'redis_url' }, say), 'This looks like a Redis URL.');
});

test('every kind of value has its name, in every way it can be wrong', () => {
  const kinds = [...readFileSync(new URL('registry/formats.toml', ROOM), 'utf8').matchAll(/^id = "(\w+)"/gm)].map(([, id]) => id);
  assert.ok(kinds.length > 20);
  for (const format of kinds) {
    for (const [state, why] of [['pass', ''], ['warn', 'odd'], ['warn', 'other'], ['fail', 'other'], ['fail', 'broken']]) {
      assert.ok(words('format', state, { format, why }).includes(ENGLISH.page[`format.${format}`]));
    }
  }
});

test('whose key it is takes the place of what it differs in, and a kind that is not typed yet is told by the label', () => {
  const foreign = { id: 'other_key', state: 'warn' };
  const exposed = { id: 'exposed', state: 'warn' };
  const prefix = { id: 'starts_with', state: 'warn' };
  const length = { id: 'length', state: 'pass' };
  const format = { id: 'format', state: 'pending' };
  assert.deepEqual(chosen([foreign, prefix, length, exposed], null, false), { loud: [foreign, exposed], calm: [] });
  assert.deepEqual(chosen([prefix, length], null, false), { loud: [prefix], calm: [length] });
  assert.deepEqual(chosen([length], { id: 'fits' }, false), { loud: [], calm: [] });
  assert.deepEqual(chosen([format], null, true), { loud: [], calm: [] });
  assert.deepEqual(chosen([format], null, false), { loud: [], calm: [format] });
});
