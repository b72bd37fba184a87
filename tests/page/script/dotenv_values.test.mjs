import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valuesFor } from '../../../offprompt/page/script/dotenv_values.js';

const asked = [{ name: 'KEY' }, { name: 'URL' }, { name: 'PEM' }, { name: 'MADE', generate: {} }, { name: 'HELD', generate: {}, present: true }];
const nothing = { values: {}, unclear: [], empty: [], kept: [], others: [] };

test('lines fill the names that are asked for, and the others are told', () => {
  const text = "# mine\nexport KEY='a b'\nURL=x#y # why\nMADE=own\nHELD=new\nPEM=\"one\ntwo\"\nOTHER=1\n";
  assert.deepEqual(valuesFor(text, asked), {
    ...nothing,
    values: { KEY: 'a b', MADE: 'own', PEM: 'one\ntwo' },
    unclear: ['URL'],
    kept: ['HELD'],
    others: ['OTHER'],
  });
});

test('of several values for a name the last counts, and one that is empty is no value', () => {
  assert.deepEqual(valuesFor('KEY=1\nKEY=2\nURL=\n', asked), { ...nothing, values: { KEY: '2' }, empty: ['URL'] });
});

test('what readers of such files would fill in, or read in two ways, is not taken', () => {
  assert.deepEqual(valuesFor('KEY=${HOME}/x\nURL: spaced\n', asked).unclear, ['KEY', 'URL']);
});

test('a value that no submission could carry is not taken', () => {
  assert.deepEqual(valuesFor(`KEY=${'x'.repeat(65_537)}`, asked).unclear, ['KEY']);
});

test('a text that is a value, and no lines, names nothing', () => {
  for (const text of ['sk_live_made_up', 'postgres://u:p@host/db?a=b', '{"KEY": "x"}', '-----BEGIN KEY-----\nMII=\n-----END KEY-----', '']) {
    assert.deepEqual(valuesFor(text, asked).values, {}, text);
  }
});
