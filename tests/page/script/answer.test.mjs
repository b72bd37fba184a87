import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meaning, state } from '../../../offprompt/page/script/answer.js';

const WRITTEN = { status: 'written', fingerprint: ['🐶', '🐱', '🐭', '🐰'], file: '.env', keys: [{ name: 'A', outcome: 'added' }] };

test('written is told with its fingerprint, keys and notes', () => {
  assert.deepEqual(meaning(200, WRITTEN), {
    kind: 'written', fingerprint: WRITTEN.fingerprint, file: '.env', keys: WRITTEN.keys, notes: [], shellDiffers: [],
  });
  const noted = meaning(200, { ...WRITTEN, notes: ['A shell differs.'], shell_differs: ['KEY', 1] });
  assert.deepEqual([noted.notes, noted.shellDiffers], [['A shell differs.'], ['KEY']]);
});

test('values that fail come back with lines for each name and for the form', () => {
  assert.deepEqual(meaning(422, { errors: { A: ['Too short.'] }, form: [] }), { kind: 'errors', errors: { A: ['Too short.'] }, form: [] });
  assert.deepEqual(meaning(422, {}), { kind: 'errors', errors: {}, form: [] });
});

test('what can be tried again says why in the page\'s words', () => {
  const words = { 0: 'offline', 400: 'fault', 403: 'refused', 409: 'busy', 413: 'large', 415: 'fault', 429: 'often', 500: 'failed' };
  for (const [status, word] of Object.entries(words)) {
    assert.deepEqual(meaning(Number(status), {}), { kind: 'again', word: `again.${word}`, sentence: '' }, status);
  }
});

test('a file system that refuses is told in the service\'s own sentence', () => {
  assert.equal(meaning(500, { error: 'The disk is full.' }).sentence, 'The disk is full.');
});

test('a tunnel that answers for an absent service is no answer', () => {
  for (const status of [500, 502, 503, 504, 520, 530]) assert.equal(meaning(status, null).word, 'again.offline', String(status));
});

test('a closed request is told by its status, an unknown one by being gone', () => {
  assert.deepEqual(meaning(410, { status: 'expired', expires_in: 0 }), { kind: 'closed', status: 'expired', fingerprint: [] });
  assert.deepEqual(meaning(410, { status: 'written', fingerprint: WRITTEN.fingerprint }), { kind: 'closed', status: 'written', fingerprint: WRITTEN.fingerprint });
  assert.deepEqual(meaning(404, null), { kind: 'gone' });
});

test('no answer of any shape is a crash', () => {
  const shapes = [null, undefined, 0, '', 'x', [], {}, { status: 5 }, { status: 'written' }, { errors: 3, form: 'x' }, { errors: { A: 1 } }, [[]]];
  for (let status = 0; status < 600; status += 1) {
    for (const shape of shapes) {
      assert.ok(meaning(status, shape).kind);
      assert.ok(state(status, shape).kind);
    }
  }
});

test('the status is open, closed, gone or silent', () => {
  assert.deepEqual(state(200, { status: 'awaiting', expires_in: 12 }), { kind: 'open', expiresIn: 12 });
  assert.deepEqual(state(200, { status: 'cancelled', expires_in: 0 }), { kind: 'closed', status: 'cancelled', fingerprint: [] });
  assert.deepEqual(state(404, {}), { kind: 'gone' });
  for (const status of [0, 302, 403, 421, 502, 530]) assert.deepEqual(state(status, null), { kind: 'silent' });
  assert.deepEqual(state(200, null), { kind: 'silent' });
});
