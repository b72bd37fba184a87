/**
 * The sealed box in which values leave the page: libsodium's crypto_box_seal.
 *
 * An ephemeral X25519 key, the nonce BLAKE2b-192 of both public keys, XSalsa20-Poly1305 with the HSalsa20 of the shared
 * secret as its key. The box is the ephemeral public key, the tag, the ciphertext: 48 bytes longer than the text.
 */

import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { encode } from './base64url.js';
import { x25519 } from './x25519.js';

export const KEY_SIZE = 32;

const VERSION = 'v1.';

/** "expand 32-byte k", Salsa20's constant for keys of 32 bytes, as little-endian words. */
const SIGMA = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);

/**
 * Little-endian words of `bytes`, whatever order the machine uses.
 * @param {Uint8Array} bytes
 */
function words(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, at) => view.getUint32(at * 4, true));
}

/** @param {Uint32Array} from */
function bytesOf(from) {
  const view = new DataView(new ArrayBuffer(from.length * 4));
  from.forEach((word, at) => view.setUint32(at * 4, word, true));
  return new Uint8Array(view.buffer);
}

/** @param {...Uint8Array} parts */
function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Seal `text` to `publicKey`: only the holder of its private key can open it, not even the sender.
 *
 * @param {Uint8Array} publicKey 32 bytes
 * @param {Uint8Array} text
 * @param {Uint8Array} ephemeral 32 random bytes, never used twice
 * @returns {Uint8Array}
 */
export function sealedBox(publicKey, text, ephemeral) {
  const ours = x25519.getPublicKey(ephemeral);
  const nonce = blake2b(joined(ours, publicKey), { dkLen: 24 });
  const key = new Uint32Array(8);
  hsalsa(SIGMA, words(x25519.getSharedSecret(ephemeral, publicKey)), new Uint32Array(4), key);
  return joined(ours, xsalsa20poly1305(bytesOf(key), nonce).encrypt(text));
}

/**
 * Return the text for the body's `sealed`.
 *
 * @param {Uint8Array} publicKey
 * @param {Uint8Array} text
 * @param {(size: number) => Uint8Array} random
 */
export function seal(publicKey, text, random) {
  return VERSION + encode(sealedBox(publicKey, text, random(KEY_SIZE)));
}
