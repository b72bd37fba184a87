/**
 * X25519 (RFC 7748, section 5) on the library's Montgomery ladder.
 *
 * The library's own `x25519` also brings the Edwards curve and tables for a faster base point: 7 KB of the page's 30,
 * for two multiplications a press. The three facts below are all that the RFC adds to the ladder.
 */

import { montgomery } from '@noble/curves/abstract/montgomery.js';
import { pow } from '@noble/curves/abstract/modular.js';

const P = 2n ** 255n - 19n;

export const x25519 = montgomery({
  P,
  type: 'x25519',
  powPminus2: (x) => pow(x, P - 2n, P),
  adjustScalarBytes: (bytes) => {
    bytes[0] &= 248;
    bytes[31] &= 127;
    bytes[31] |= 64;
    return bytes;
  },
});
