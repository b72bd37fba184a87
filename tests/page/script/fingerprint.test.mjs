import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decode } from '../../../offprompt/page/script/base64url.js';
import { EMOJI } from '../../../offprompt/page/script/fingerprint.js';
import { fingerprint, keyId } from '../../../offprompt/page/script/fingerprint.js';
import { cases } from './vectors.mjs';

for (const { what, key, values, emoji } of cases('fingerprint')) {
  test(`the fingerprint of ${what} is the service's`, () => assert.deepEqual(fingerprint(decode(key), values), emoji));
}

test('the order in which values were typed does not count', () => {
  const key = new Uint8Array(32).fill(1);
  assert.deepEqual(fingerprint(key, { B: '2', A: '1', A_B: '3' }), fingerprint(key, { A_B: '3', A: '1', B: '2' }));
});

test('a key of another length is refused', () => {
  assert.throws(() => fingerprint(new Uint8Array(65), {}));
});

test('the list is the service\'s, and the catalogue names each of the 64', () => {
  const known = cases('emoji');
  const words = JSON.parse(readFileSync(new URL('../../../offprompt/page/words/en.json', import.meta.url), 'utf8'));
  assert.deepEqual(EMOJI, known.map(({ emoji }) => emoji));
  assert.deepEqual(words.page.emoji.split('|'), known.map(({ name }) => name));
});

test('the key id is that of the vectors', () => {
  for (const { public_key: key, key_id: id } of cases('seal')) assert.equal(keyId(decode(key)), id);
});
