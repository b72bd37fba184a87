/**
 * The page's proof, before anything can be typed, that this browser computes as the service does: one sealed box and
 * one fingerprint, made once by libsodium (PyNaCl) and hashlib from the keys and texts below.
 */

import { decode, encode } from './base64url.js';
import { fingerprint } from './fingerprint.js';
import { sealedBox } from './seal.js';

const TEXT = 'offprompt 🔑';
const PUBLIC_KEY = 'B6N8vBQgk8i3VdwbEOhstCY3StFqqFPtC9_AsrhtHHw';
const BOX = 'VxR2nRFr92Q2rnS8eT0sMK0ZA8WaxSc4BcfiaYtBDDZ_Fdqq7oyMDzHsQ4dxVdXmTvhFEnFq8XZu3MssXeY';
const FINGERPRINT = '🐳🐳🍓🐵';

/** @param {number} first @returns {Uint8Array} 32 bytes that count up */
const counting = (first) => Uint8Array.from({ length: 32 }, (_, at) => first + at);

/** Return whether both come out right. */
export function fit() {
  try {
    const box = sealedBox(decode(PUBLIC_KEY), new TextEncoder().encode(TEXT), counting(101));
    return encode(box) === BOX && fingerprint(counting(0), { B: TEXT, A: '' }).join('') === FINGERPRINT;
  } catch {
    return false; // a browser too old for what the library needs
  }
}
