/** The text of the sealed box, padded to hide its length. */

import { encode } from './base64url.js';

const KIB = 1024;

/** The lengths of a submission in bytes: within a step all look alike. The last is the service's limit. */
export const STEPS = [4, 8, 16, 32, 64, 128].map((kib) => kib * KIB);

/**
 * Return UTF-8 JSON and spaces up to the next step; null when it is longer than the last.
 *
 * @param {{token: string, nonce: string, values: Record<string, string>, allowTracked: boolean, fingerprintKey:
 *   Uint8Array}} of
 * @returns {Uint8Array | null}
 */
export function submission({ token, nonce, values, allowTracked, fingerprintKey }) {
  const text = JSON.stringify({
    token,
    nonce,
    values,
    allow_tracked: allowTracked,
    fingerprint_key: encode(fingerprintKey),
  });
  const bytes = new TextEncoder().encode(text);
  const size = STEPS.find((step) => bytes.length <= step);
  if (size === undefined) return null;
  const padded = new Uint8Array(size).fill(0x20);
  padded.set(bytes);
  return padded;
}
