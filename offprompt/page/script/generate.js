/** Values that this browser makes, as offprompt/request/generation.py does (RFC 4648, sections 4, 5 and 8). */

import { encode } from './base64url.js';

/**
 * @param {{bytes: number, encoding: string}} generate `base64url` comes without padding, `base64` with it
 * @param {(size: number) => Uint8Array} random
 * @returns {string}
 */
export function generatedValue({ bytes, encoding }, random) {
  const raw = random(bytes);
  if (encoding === 'hex') return Array.from(raw, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const text = encode(raw);
  if (encoding === 'base64url') return text;
  return text.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat(-text.length & 3);
}
