import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STEPS, submission } from '../../../offprompt/page/script/submission.js';

const made = (value) =>
  submission({
    token: '0'.repeat(32),
    nonce: '1'.repeat(32),
    values: { KEY: value },
    allowTracked: true,
    fingerprintKey: new Uint8Array(32),
  });
const EMPTY = new TextDecoder().decode(made('')).trimEnd().length;

test('it is the JSON of the protocol, with spaces behind', () => {
  const text = new TextDecoder().decode(made('made-up 🔑'));
  assert.deepEqual(JSON.parse(text), {
    token: '0'.repeat(32),
    nonce: '1'.repeat(32),
    values: { KEY: 'made-up 🔑' },
    allow_tracked: true,
    fingerprint_key: 'A'.repeat(43),
  });
  assert.match(text, /\} +$/);
});

test('its length is one of six, and tells no more', () => {
  assert.deepEqual(STEPS, [4096, 8192, 16384, 32768, 65536, 131072]);
  for (const [at, step] of STEPS.entries()) {
    assert.equal(made('x'.repeat(step - EMPTY)).length, step);
    if (at < 5) assert.equal(made('x'.repeat(step - EMPTY + 1)).length, STEPS[at + 1]);
  }
});

test('more than the last step is not made', () => assert.equal(made('x'.repeat(STEPS[5] - EMPTY + 1)), null));
