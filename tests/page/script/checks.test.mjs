import assert from 'node:assert/strict';
import { test } from 'node:test';
import { characters, only } from '../../../offprompt/page/script/checks/charsets.js';
import { check } from '../../../offprompt/page/script/checks/check.js';
import { MARKS, SETS } from '../../../offprompt/page/script/checks/marks.js';
import { candidates, matchedPrefix, ownerOf, recognise } from '../../../offprompt/page/script/checks/owner.js';
import { spaced, trim } from '../../../offprompt/page/script/checks/space.js';
import { count, placeholderLeft, verdict } from '../../../offprompt/page/script/checks/verdicts.js';

// tests/registry/test_twins.py holds these modules against the service's own checks, tens of thousands of times. Here is
// what a page does with them.

const STRIPE = {
  key: { id: 'stripe/secret_key', provider: 'Stripe', label: 'secret key', an: false, kind: 'secret', formed: true, vague: [], same_page: ['publishable_key'], also: [] },
  rules: [
    { id: 'starts_with', prefix: ['sk_live_', 'sk_test_'] },
    { id: 'length', min: 20, max: 80 },
    { id: 'charset', of: 'A-Za-z0-9_' },
  ],
};
const states = (value, how) => check(STRIPE, value, how).lines.map(({ state }) => state);

test('lines wait while a value is typed, turn green one by one, and fold into one line', () => {
  assert.deepEqual(states('', { typing: true }), ['pending', 'pending', 'pending']);
  assert.deepEqual(states('sk_te', { typing: true }), ['pending', 'pending', 'pass']);
  assert.deepEqual(states('sk_test_EXAMPL', { typing: true }), ['pass', 'pending', 'pass']);
  assert.equal(check(STRIPE, 'sk_test_EXAMPL', { typing: true }).lines[1].n, 14);
  assert.deepEqual(states('sk_test_EXAMPL'), ['pass', 'warn', 'pass']);
  const whole = check(STRIPE, ' sk_test_EXAMPLE_not_a_real_key\n');
  assert.deepEqual(whole.summary, { id: 'looks_like', provider: 'Stripe', label: 'secret key', an: false });
  assert.deepEqual([whole.blocks, whole.warns], [false, false]);
});

test('a doubtful key warns and does not block', () => {
  const doubtful = check(STRIPE, 'nothing like it');
  assert.deepEqual([doubtful.blocks, doubtful.warns, doubtful.summary], [false, true, null]);
});

test('a format that the agent named blocks what cannot be of it', () => {
  const number = { key: null, rules: [{ id: 'format', is: 'integer', firm: true, pattern: '[+-]?[0-9]+' }] };
  assert.equal(check(number, 'ten').blocks, true);
  assert.equal(check(number, 'ten', { typing: true }).blocks, false);
  assert.equal(check(number, '10').blocks, false);
  assert.equal(check({ key: null, rules: [{ ...number.rules[0], firm: false }] }, 'ten').blocks, false);
});

test('a key of somebody else is named at once, also while the field has focus', () => {
  const [line] = check(STRIPE, `sk-ant-api03-${'x'.repeat(90)}`, { typing: true }).lines;
  assert.deepEqual(line, { id: 'other_key', state: 'warn', provider: 'Anthropic', label: 'API key', an: true });
  const [other] = check(STRIPE, `pk_test_${'x'.repeat(30)}`).lines;
  assert.deepEqual(other, { id: 'sibling', state: 'warn', label: 'publishable key', own: 'secret key', same_page: true });
});

test('a rule that this page does not know says nothing', () => {
  assert.deepEqual(check({ key: null, rules: [{ id: 'new' }] }, 'x').lines, []);
});

test('spaces at the ends are found and cut', () => {
  assert.equal(spaced('key '), true);
  assert.equal(spaced('\ufeffkey'), true);
  assert.equal(spaced('a key'), false);
  assert.equal(trim('\u200b key\n'), 'key');
  assert.equal(trim(' \n'), '');
});

test('characters are counted as people count them, halves of pairs too', () => {
  assert.equal(count('a😀b'), 3);
  assert.equal(count('\ud83d'), 1);
  assert.equal(count('\ude00\ud83d'), 2);
  assert.equal(count(''), 0);
});

test('sets, forms, verdicts', () => {
  assert.equal(only('aZ_', 'A-Za-z_'), true);
  assert.equal(only('aZ_\n', 'A-Za-z_'), false);
  assert.deepEqual(characters('0-9a-f'), { letters: '', digits: false, hex: true, signs: '' });
  assert.deepEqual(characters('0-9a-fA-F-'), { letters: '', digits: false, hex: true, signs: '-' });
  assert.equal(matchedPrefix({ prefix: ['ab'], min: 3, max: 4, holds: 'x' }, 'abx'), 3);
  assert.equal(matchedPrefix({ prefix: ['ab'], min: 3, max: 4 }, 'ab'), -1);
  assert.equal(verdict({ is: 'json', parse: 'json', begins: '[{].*' }, '{'), 'broken');
  assert.equal(placeholderLeft('postgres://u:<password>@h/d'), true);
});

test('who is recognised is named, who is not is not', () => {
  assert.equal(recognise(`sk-or-v1-${'0a'.repeat(32)}`)?.provider, 'OpenRouter');
  assert.equal(recognise(`sk-${'0a'.repeat(16)}`), null);
  assert.equal(recognise(''), null);
  assert.equal(ownerOf([]), null);
  assert.equal(candidates(`sk-${'0a'.repeat(16)}`).keys.length, 2);
});

test('the table of marks is whole', () => {
  assert.ok(MARKS.length > 100);
  for (const [provider, name, , , ...keys] of MARKS) {
    assert.ok(provider && name && keys.length);
    for (const [, , , ...forms] of keys) for (const [, , , set] of forms) assert.ok(set < SETS.length);
  }
});

test('a million characters are judged before anybody notices', () => {
  const began = performance.now();
  check(STRIPE, 'x'.repeat(1_000_000));
  check({ key: null, rules: [{ id: 'format', is: 'json', parse: 'json', firm: true }] }, '['.repeat(1_000_000));
  assert.ok(performance.now() - began < 500);
});
