import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closed, meaning, state } from '../../../offprompt/page/script/answer.js';
import { fingerprint } from '../../../offprompt/page/script/fingerprint.js';
import { fingerprintWithout, presses } from '../../../offprompt/page/script/presses.js';

const KEY = Uint8Array.from({ length: 32 }, (_, at) => at);
const LATER_KEY = new Uint8Array(32).fill(7);
const VALUES = { TYPED: 'a', MADE: 'b', ALSO_MADE: 'c' };

test('the page knows its own write by its fingerprint, and takes an empty one for nobody\'s', () => {
  const sent = presses();
  sent.add(KEY, VALUES, []);
  assert.deepEqual(sent.changedSince(fingerprint(KEY, VALUES), VALUES), []);
  assert.equal(sent.changedSince(fingerprint(KEY, { ...VALUES, TYPED: 'b' }), VALUES), null);
  assert.equal(sent.changedSince(fingerprint(LATER_KEY, VALUES), VALUES), null);
  assert.equal(sent.changedSince([], VALUES), null);
});

test('it knows its write too when the file had got generated keys meanwhile, any of them', () => {
  const sent = presses();
  sent.add(KEY, VALUES, ['MADE', 'ALSO_MADE', 'LEFT_EMPTY']);
  const after = (went) => sent.changedSince(fingerprint(KEY, went), VALUES);
  assert.deepEqual(after({ TYPED: 'a' }), []);
  assert.deepEqual(after({ TYPED: 'a', MADE: 'b' }), []);
  assert.deepEqual(after({ TYPED: 'a', ALSO_MADE: 'c' }), []);
  assert.equal(after({ MADE: 'b', ALSO_MADE: 'c' }), null);
});

test('where nothing went into the file there is no fingerprint', () => {
  assert.deepEqual(fingerprintWithout(['A'], KEY, { A: 'x' }), []);
  assert.deepEqual(fingerprintWithout(['A'], KEY, { A: 'x', B: 'y' }), fingerprint(KEY, { B: 'y' }));
});

/**
 * A person presses with the older values, changes some and presses again; then the service tells which one it wrote.
 *
 * @param {Record<string, string>} older
 * @param {Record<string, string>} newer
 */
function pressedTwice(older, newer) {
  const sent = presses();
  sent.add(KEY, older, []);
  sent.add(LATER_KEY, newer, []);
  return sent;
}

const OLDER = { A: 'first', B: 'same' };
const NEWER = { A: 'second', B: 'same' };

test('an older press that arrived first is not taken for the last one, whichever answer tells of it', () => {
  const object = { status: 'written', expires_in: 0, fingerprint: fingerprint(KEY, OLDER) };
  const answers = {
    'the later press meets 410': meaning(410, object),
    'the status tells of it after 409 or a lost answer': state(200, object),
    'a late 200': meaning(200, { ...object, file: '.env', keys: [] }),
    'the object itself': closed(object),
  };
  for (const [how, answer] of Object.entries(answers)) {
    assert.deepEqual(pressedTwice(OLDER, NEWER).changedSince(answer.fingerprint, NEWER), ['A'], how);
  }
});

test('the last press that was written is the last press', () => {
  assert.deepEqual(pressedTwice(OLDER, NEWER).changedSince(fingerprint(LATER_KEY, NEWER), NEWER), []);
});

test('an older press with the very values that stand there now leaves nothing to tell', () => {
  assert.deepEqual(pressedTwice(OLDER, OLDER).changedSince(fingerprint(KEY, OLDER), OLDER), []);
  assert.deepEqual(pressedTwice(OLDER, NEWER).changedSince(fingerprint(KEY, OLDER), OLDER), []);
});

test('what was edited after the last press and not sent is told, too', () => {
  assert.deepEqual(pressedTwice(OLDER, NEWER).changedSince(fingerprint(LATER_KEY, NEWER), { ...NEWER, B: 'typed on' }), ['B']);
});

test('a value that was taken away since, and one that came, differ from what is in the file', () => {
  assert.deepEqual(pressedTwice(OLDER, { B: 'same' }).changedSince(fingerprint(KEY, OLDER), { B: 'same' }), ['A']);
  assert.deepEqual(pressedTwice(OLDER, NEWER).changedSince(fingerprint(KEY, OLDER), { ...OLDER, C: 'new' }), ['C']);
});

test('a generated key that the file had already says nothing of an older press', () => {
  const sent = presses();
  sent.add(KEY, { A: 'same', MADE: 'one' }, ['MADE']);
  assert.deepEqual(sent.changedSince(fingerprint(KEY, { A: 'same' }), { A: 'same', MADE: 'another' }), []);
  assert.deepEqual(sent.changedSince(fingerprint(KEY, { A: 'same', MADE: 'one' }), { A: 'same', MADE: 'another' }), ['MADE']);
});
