import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode } from '../../../offprompt/page/script/base64url.js';
import { x25519 } from '../../../offprompt/page/script/x25519.js';
import { seal, sealedBox } from '../../../offprompt/page/script/seal.js';
import { fit } from '../../../offprompt/page/script/self_check.js';
import { cases } from './vectors.mjs';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const unhex = (text) => Uint8Array.from(Buffer.from(text, 'hex'));

test('X25519 gives the outputs of RFC 7748, 5.2, one and a thousand rounds deep', () => {
  let key = unhex('0900000000000000000000000000000000000000000000000000000000000000');
  let point = key;
  for (let round = 1; round <= 1000; round += 1) {
    const next = x25519.scalarMult(key, point);
    point = key;
    key = next;
    if (round === 1) assert.equal(hex(key), '422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079');
  }
  assert.equal(hex(key), '684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51');
});

test('X25519 gives the public key of RFC 7748, 6.1', () => {
  const bob = x25519.getPublicKey(unhex('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb'));
  assert.equal(hex(bob), 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f');
});

test('a point of low order is refused: it would make the key known to everybody', () => {
  for (const low of ['00'.repeat(32), '01' + '00'.repeat(31), 'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f']) {
    assert.throws(() => sealedBox(unhex(low), new Uint8Array(4), new Uint8Array(32).fill(7)));
  }
});

for (const { what, public_key: key, ephemeral_private_key: ephemeral, plaintext, sealed } of cases('seal')) {
  test(`the seal of ${what} is libsodium's`, () => {
    const text = new TextEncoder().encode(plaintext);
    assert.equal(seal(decode(key), text, () => decode(ephemeral)), sealed);
  });
}

test('every seal of the same text is another one', () => {
  const key = x25519.getPublicKey(new Uint8Array(32).fill(3));
  const random = (size) => crypto.getRandomValues(new Uint8Array(size));
  const seals = new Set(Array.from({ length: 20 }, () => seal(key, new Uint8Array(9), random)));
  assert.equal(seals.size, 20);
});

test('the page finds itself fit here', () => assert.equal(fit(), true));

test('base64url goes there and back at every length, also past one slice', () => {
  for (const size of [...Array(70).keys(), 8191, 8192, 8193, 130_000]) {
    const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 7919) & 255);
    assert.equal(encode(bytes), Buffer.from(bytes).toString('base64url'));
    assert.deepEqual(decode(encode(bytes)), bytes);
  }
});

test('base64url in another form than the one it is written in is none', () => {
  for (const text of ['A', 'AB', 'AAB', 'AA==', 'A+A/', 'AA A', 'AAAAA', 'é', '\n']) assert.equal(decode(text), null, text);
});
