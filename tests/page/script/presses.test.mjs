import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprintWithout, presses } from '../../../offprompt/page/script/presses.js';
import { fingerprint } from '../../../offprompt/page/script/fingerprint.js';

const KEY = Uint8Array.from({ length: 32 }, (_, at) => at);
const VALUES = { TYPED: 'a', MADE: 'b', ALSO_MADE: 'c' };

test('the page knows its own write by its fingerprint, and takes an empty one for nobody\'s', () => {
  const tried = presses();
  tried.add(KEY, VALUES, []);
  assert.equal(tried.has(fingerprint(KEY, VALUES)), true);
  assert.equal(tried.has(fingerprint(KEY, { ...VALUES, TYPED: 'b' })), false);
  assert.equal(tried.has(fingerprint(new Uint8Array(32), VALUES)), false);
  assert.equal(tried.has([]), false);
});

test('it knows its write too when the file had got generated keys meanwhile, any of them', () => {
  const tried = presses();
  tried.add(KEY, VALUES, ['MADE', 'ALSO_MADE', 'LEFT_EMPTY']);
  assert.equal(tried.has(fingerprint(KEY, { TYPED: 'a' })), true);
  assert.equal(tried.has(fingerprint(KEY, { TYPED: 'a', MADE: 'b' })), true);
  assert.equal(tried.has(fingerprint(KEY, { TYPED: 'a', ALSO_MADE: 'c' })), true);
  assert.equal(tried.has(fingerprint(KEY, { MADE: 'b', ALSO_MADE: 'c' })), false);
});

test('where nothing went into the file there is no fingerprint', () => {
  assert.deepEqual(fingerprintWithout(['A'], KEY, { A: 'x' }), []);
  assert.deepEqual(fingerprintWithout(['A'], KEY, { A: 'x', B: 'y' }), fingerprint(KEY, { B: 'y' }));
});
