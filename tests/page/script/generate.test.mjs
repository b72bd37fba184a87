import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatedValue } from '../../../offprompt/page/script/generate.js';

/** Bytes that need `+`, `/`, `-` and `_`. */
const random = (size) => Uint8Array.from({ length: size }, (_, at) => [0xfb, 0xff, 0xbf][at % 3]);

test('a value is as many bytes as asked for, in the encoding asked for', () => {
  for (let bytes = 16; bytes <= 64; bytes += 1) {
    const raw = Buffer.from(random(bytes));
    assert.equal(generatedValue({ bytes, encoding: 'hex' }, random), raw.toString('hex'));
    assert.equal(generatedValue({ bytes, encoding: 'base64' }, random), raw.toString('base64'));
    assert.equal(generatedValue({ bytes, encoding: 'base64url' }, random), raw.toString('base64url'));
  }
});
