import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../offprompt/page/script/checks/check.js';
import { spaced } from '../../../offprompt/page/script/checks/space.js';
import { placeholderLeft } from '../../../offprompt/page/script/checks/verdicts.js';
import { byNode } from '../../../offprompt/page/script/dotenv/node.js';
import { byPython, isFilled } from '../../../offprompt/page/script/dotenv/python.js';
import { read } from '../../../offprompt/page/script/dotenv/read.js';

// What a person pastes or drops may be anything. Time is told by its ratio, as in tests/growth.py, so that it holds on a
// slow or busy machine: three doublings of linear work give 8, of quadratic work 64.

const LINEAR = 24;
const MEASURABLE = 1000; // microseconds
const LARGEST = 1 << 17;

/** The least of three runs, in microseconds of CPU. */
function least(use, text) {
  let best = Infinity;
  for (let run = 0; run < 3; run += 1) {
    const before = process.cpuUsage();
    use(text);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  return best;
}

function growth(use, [before, piece, after]) {
  const made = (n) => before + piece.repeat(n) + after;
  let size = 64;
  while (least(use, made(size)) < MEASURABLE && size < LARGEST) size *= 2;
  const first = least(use, made(size));
  if (first < MEASURABLE) return 1;
  let ratio = 1;
  for (const factor of [2, 4, 8]) {
    ratio = least(use, made(size * factor)) / first;
    if (ratio > 2 * LINEAR) break;
  }
  return ratio;
}

const FILES = [
  ['A=x', ' ', 'y'],
  ['A=', "'x\u2028", ''],
  ["A='", "\\'", ''],
  ['', "A='x\n", ''],
  ['', "A='x'\u2028", ''],
  ['', 'KEY=1\n', ''],
  ['A=', '\n', 'x'],
  ['A', '\n', 'x'],
  ['export', ' ', 'x'],
  ['A=', '${', ':x}'],
];

for (const use of [byNode, byPython, read]) {
  for (const pattern of FILES) {
    test(`${use.name} takes as long for ${JSON.stringify(pattern)} as it is long`, () => {
      assert.ok(growth(use, pattern) < LINEAR);
    });
  }
}

const TOLD = { key: null, rules: [{ id: 'format', is: 'json', parse: 'json' }, { id: 'generated', bytes: 32, encoding: 'base64' }] };
const checked = (value) => check(TOLD, value);

const VALUES = [
  ['', '${', ':x}'],
  ['', '${a:-', ''],
  ['', ' ', 'x'],
  ['x', ' ', ''],
  ['x', ' ', 'x'],
  ['', '=', 'x'],
  ['', '<a', ''],
  ['https://', '[A', ''],
  ['', 'a:', ''],
  ['', '[', ''],
];

for (const use of [isFilled, spaced, placeholderLeft, checked]) {
  for (const pattern of VALUES) {
    test(`${use.name} takes as long for ${JSON.stringify(pattern)} as it is long`, () => {
      assert.ok(growth(use, pattern) < LINEAR);
    });
  }
}
