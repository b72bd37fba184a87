/** The end of the link, `#k=<key>`: the part a browser never sends, and chat windows like to cut. */

import { decode } from './base64url.js';
import { keyId } from './fingerprint.js';
import { KEY_SIZE } from './seal.js';

/**
 * Return the request's public key; null when the link lost it or a part of it, or belongs to another request.
 *
 * @param {string} hash as in `location.hash`
 * @param {string} expected the request's key_id
 * @returns {Uint8Array | null}
 */
export function keyFrom(hash, expected) {
  if (!hash.startsWith('#k=')) return null;
  const key = decode(hash.slice(3));
  return key !== null && key.length === KEY_SIZE && keyId(key) === expected ? key : null;
}
