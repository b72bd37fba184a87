/** The four emoji by which a person sees that the file holds exactly what was typed. */

import { blake2b } from '@noble/hashes/blake2.js';

/**
 * The 64 emoji of a fingerprint, in the order of the service's own list: it is part of the protocol. Their names are in
 * the catalogue of words, in the same order, as they differ by language.
 */
export const EMOJI = Array.from(
  [
    '🐶🐱🐭🐰🦊🐻🐼🦁🐮🐷🐸🐵🐔🐧🦉🦆',
    '🐴🦄🐝🦋🐌🐞🐢🐙🦀🐬🐳🦈🐘🐪🌵🌻',
    '🍄🌈🌙🔥🍎🍋🍌🍉🍇🍓🍒🍍🥝🥑🌽🥕',
    '🍞🧀🍕🌮🍩🎂🍿🎈🎸🎲🚀🚲🚂⚓🔑⏰',
  ].join(''),
);

/** Bytes of the key, new for every press of the button. */
export const FINGERPRINT_KEY_SIZE = 32;

/**
 * BLAKE2b-256 over each name in code point order: four bytes of length, big-endian, and the name's UTF-8, then the same
 * of its value. The first 24 bits, most significant first, six at a time, index the list of 64.
 *
 * @param {Uint8Array} key 32 bytes
 * @param {Record<string, string>} values
 * @returns {string[]} four emoji
 */
export function fingerprint(key, values) {
  const digest = blake2b.create({ key, dkLen: 32 });
  const utf8 = new TextEncoder();
  // Names are ASCII (A-Z, 0-9, _), so the order of UTF-16 units, which sort() uses, is that of code points.
  for (const name of Object.keys(values).sort()) {
    for (const text of [name, values[name]]) {
      const bytes = utf8.encode(text);
      const size = new DataView(new ArrayBuffer(4));
      size.setUint32(0, bytes.length);
      digest.update(new Uint8Array(size.buffer)).update(bytes);
    }
  }
  const [first, second, third] = digest.digest();
  const bits = (first << 16) | (second << 8) | third;
  return [18, 12, 6, 0].map((shift) => EMOJI[(bits >> shift) & 63]);
}

/**
 * The first eight hex digits of BLAKE2b-256 of a request's public key: by it a page knows that its link is whole.
 *
 * @param {Uint8Array} publicKey
 */
export function keyId(publicKey) {
  const first = blake2b(publicKey, { dkLen: 32 }).subarray(0, 4);
  return Array.from(first, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
