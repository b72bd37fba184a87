/**
 * The page's own code behind a pipe, for the tests in Python: a line of JSON in, a line of JSON out.
 *
 *     {"key", "token", "nonce", "values", "fingerprint_key"}  ->  {"sealed", "fingerprint"}
 */

import { createInterface } from 'node:readline';
import { decode } from '../../../offprompt/page/script/base64url.js';
import { fingerprint } from '../../../offprompt/page/script/fingerprint.js';
import { seal } from '../../../offprompt/page/script/seal.js';
import { submission } from '../../../offprompt/page/script/submission.js';

for await (const line of createInterface({ input: process.stdin })) {
  const { key, token, nonce, values, fingerprint_key: raw } = JSON.parse(line);
  const fingerprintKey = decode(raw);
  const text = submission({ token, nonce, values, allowTracked: false, fingerprintKey });
  const sealed = seal(decode(key), text, (size) => crypto.getRandomValues(new Uint8Array(size)));
  console.log(JSON.stringify({ sealed, fingerprint: fingerprint(fingerprintKey, values) }));
}
