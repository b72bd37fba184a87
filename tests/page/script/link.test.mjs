import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '../../../offprompt/page/script/base64url.js';
import { keyFrom } from '../../../offprompt/page/script/link.js';
import { cases } from './vectors.mjs';

const { public_key: key, key_id: id } = cases('seal')[0];

test('a whole link gives its key', () => assert.deepEqual(keyFrom(`#k=${key}`, id), decode(key)));

test('a link cut at any length, or with more at its end, gives none', () => {
  const hash = `#k=${key}`;
  for (let size = 0; size < hash.length; size += 1) assert.equal(keyFrom(hash.slice(0, size), id), null, String(size));
  for (const more of ['A', 'AAAA', '=', '.', ')', '%20', '&x=1']) assert.equal(keyFrom(hash + more, id), null, more);
});

test('any other letter anywhere in the key makes it another key', () => {
  for (let at = 0; at < key.length; at += 1) {
    const other = key[at] === 'A' ? 'B' : 'A';
    assert.equal(keyFrom(`#k=${key.slice(0, at)}${other}${key.slice(at + 1)}`, id), null, String(at));
  }
});

test('the key of another request is not taken', () => assert.equal(keyFrom(`#k=${key}`, '00000000'), null));
