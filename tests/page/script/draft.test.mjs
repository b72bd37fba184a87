import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draft } from '../../../offprompt/page/script/draft.js';
import { face } from '../../../offprompt/page/script/write_button.js';
import { flaw, tidy } from '../../../offprompt/page/script/value.js';

const secret = (name, more = {}) => ({ name, label: '', caption: '', secret: true, multiline: false, present: false, url: '', rules: [], generate: null, ...more });
const typed = (text, empty = false) => ({ text, empty });

test('what was typed is sent, what is missing is left', () => {
  const made = draft([secret('A'), secret('B')], { A: typed('one'), B: typed('') });
  assert.deepEqual(made, { values: { A: 'one' }, left: ['B'], writes: 1 });
});

test('a key that the file holds may stay empty: it is left out and stays', () => {
  const made = draft([secret('A', { present: true })], { A: typed('') });
  assert.deepEqual(made, { values: {}, left: [], writes: 0 });
});

test('a generated key is sent as it was made or pasted, left empty it is the service\'s to make, held it is kept', () => {
  const generate = { bytes: 32, encoding: 'hex' };
  const asked = [secret('A', { generate }), secret('B', { generate }), secret('C', { generate, present: true })];
  assert.deepEqual(draft(asked, { A: typed('made'), B: typed('') }), { values: { A: 'made' }, left: [], writes: 2 });
});

test('the empty value is sent only when it is meant', () => {
  const made = draft([secret('A', { secret: false })], { A: typed('', true) });
  assert.deepEqual(made, { values: { A: '' }, left: [], writes: 1 });
});

test('a value of blanks is a value', () => {
  assert.deepEqual(draft([secret('A')], { A: typed(' ') }).values, { A: ' ' });
});

test('the button says what is left, then what it does', () => {
  assert.deepEqual(face({ left: ['A', 'B'], writes: 1 }, true, ''), { word: 'write.left', n: 2, ready: false });
  assert.deepEqual(face({ left: [], writes: 3 }, false, 'anyway'), { word: 'write.tick', n: 0, ready: false });
  assert.deepEqual(face({ left: [], writes: 3 }, true, ''), { word: 'write', n: 3, ready: true });
  assert.deepEqual(face({ left: [], writes: 3 }, true, 'again'), { word: 'write.again', n: 3, ready: true });
  assert.deepEqual(face({ left: [], writes: 3 }, true, 'anyway'), { word: 'write.anyway', n: 3, ready: true });
  assert.deepEqual(face({ left: [], writes: 0 }, true, ''), { word: 'write.nothing', n: 0, ready: true });
});

test('a line loses the end it was copied with, and nothing else', () => {
  assert.equal(tidy('key\n', false), 'key');
  assert.equal(tidy('key\r\n\n', false), 'key');
  assert.equal(tidy(' key ', false), ' key ');
  assert.equal(tidy('a\nb\n', false), 'a\nb');
  assert.equal(tidy('-----END-----\n', true), '-----END-----\n');
});

test('NUL and half a character are refused, whole characters are not', () => {
  assert.equal(flaw('a\0b'), 'field.nul');
  assert.equal(flaw('a\ud800'), 'field.surrogate');
  assert.equal(flaw('\udc00a'), 'field.surrogate');
  assert.equal(flaw('🔑 é \n ok'), null);
});

test('a value has at most 64 KiB of UTF-8', () => {
  assert.equal(flaw('x'.repeat(65_536)), null);
  assert.equal(flaw('x'.repeat(65_537)), 'field.long');
  assert.equal(flaw('é'.repeat(32_768)), null);
  assert.equal(flaw('é'.repeat(32_769)), 'field.long');
  assert.equal(flaw('🔑'.repeat(16_385)), 'field.long');
});
