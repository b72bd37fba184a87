/** Answers questions about checks, a line of JSON each: what the page's code says of a value. For tests/registry/test_twins.py. */

import { createInterface } from 'node:readline';
import { check } from '../../../offprompt/page/script/checks/check.js';
import { recognise } from '../../../offprompt/page/script/checks/owner.js';
import { trim } from '../../../offprompt/page/script/checks/space.js';

for await (const line of createInterface({ input: process.stdin })) {
  const { secret, value, typing } = JSON.parse(line);
  const { lines, summary, blocks, warns } = check(secret, value, { typing });
  const whole = { lines, summary, blocks, warns, trimmed: trim(value), recognised: recognise(trim(value)) };
  process.stdout.write(`${JSON.stringify(whole)}\n`);
}
