import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { foreign, placed, remarks, shownPath, TRUSTED } from '../../../offprompt/page/script/destination.js';

test('the target\'s facts become remarks, with a warning where one is due', () => {
  const sink = { kind: 'dotenv', path: '.env', exists: false, tracked: false, ignored: true, git: 'untracked', readable_by_others: false };
  const keys = (more) => remarks({ ...sink, ...more }).map(([, key]) => key);
  const warned = (more) => remarks({ ...sink, ...more }).filter(([sign]) => sign === 'warn').map(([, key]) => key);
  assert.deepEqual(keys({}), ['where.new', 'where.ignored']);
  assert.deepEqual(remarks({ ...sink, exists: true }, 2)[0], ['kept', 'where.holds']);
  assert.deepEqual(remarks({ ...sink, exists: true }, 0)[0], ['kept', 'where.exists']);
  assert.deepEqual(keys({ exists: true, kind: 'file' }), ['where.exists.file', 'where.ignored']);
  assert.deepEqual(warned({ ignored: false }), ['where.exposed']);
  assert.deepEqual(keys({ ignored: false, git: 'none' }), ['where.new', 'where.nogit']);
  assert.deepEqual(warned({ exists: true, tracked: true, git: 'tracked', ignored: false, readable_by_others: true }), ['where.readable', 'where.tracked']);
});

test('a project is told by its folder, and by its path where there is one', () => {
  assert.deepEqual(placed('shop'), { folder: 'shop', path: '' });
  assert.deepEqual(placed('/home/ann/shop'), { folder: 'shop', path: '/home/ann/shop' });
  assert.deepEqual(placed('C:\\work\\shop\\'), { folder: 'shop', path: 'C:\\work\\shop\\' });
  assert.deepEqual(placed('/'), { folder: '/', path: '' });
});

test('a file that lands elsewhere is shown with both places, and the link is warned of', () => {
  const sink = { path: '.env', lands: 'public/env.txt', exists: true, tracked: false, ignored: true, git: 'untracked' };
  assert.equal(shownPath(sink), '.env → public/env.txt');
  assert.equal(shownPath({ ...sink, lands: '' }), '.env');
  assert.deepEqual(remarks({ ...sink, public: 'public' }).filter(([sign]) => sign === 'warn').map(([, key]) => key), ['where.lands', 'where.public']);
});

test('a file that git gave no answer about is called neither tracked nor exposed nor unknown to git', () => {
  const keys = remarks({ path: '.env', exists: true, tracked: false, ignored: false, git: 'unknown' }).map(([, key]) => key);
  assert.deepEqual(keys, ['where.exists', 'where.unknown']);
});

test('what runs a file or trusts it has its own sentence, and a code of a later service gets one, too', () => {
  const key = (trusted) => remarks({ path: 'x', git: 'none', trusted }).at(-1);
  const page = JSON.parse(readFileSync(new URL('../../../offprompt/page/words/en.json', import.meta.url), 'utf8')).page;
  for (const code of TRUSTED) {
    assert.deepEqual(key(code), ['warn', `where.trusted.${code}`]);
    assert.ok(`where.trusted.${code}` in page, code);
  }
  assert.deepEqual(key('later'), ['warn', 'where.trusted.runs']);
  assert.equal(Object.keys(page).filter((name) => name.startsWith('where.trusted.')).length, TRUSTED.length);
});

test('a file that cannot be written is told last, in red, and never as a new one', () => {
  assert.deepEqual(remarks({ path: '.env', git: 'none', writable: false }).at(-1), ['block', 'where.unwritable']);
  assert.deepEqual(remarks({ path: '.env', git: 'none' }).filter(([sign]) => sign === 'block'), []);
  assert.ok(!remarks({ path: '.env', git: 'none', writable: false }).some(([, key]) => key === 'where.new'));
});

test('characters that are not plain ASCII are named once each, with what cannot be seen by its number alone', () => {
  assert.deepEqual(foreign('config/.env'), []);
  assert.deepEqual(foreign('été/.env'), ['é (U+00E9)']);
  assert.deepEqual(foreign('.\u0435nv'), ['\u0435 (U+0435)']);
  assert.deepEqual(foreign('e\u0301'), ['◌\u0301 (U+0301)']);
  assert.deepEqual(foreign('a\u200bb\u00a0c\u202e'), ['U+200B', 'U+00A0', 'U+202E']);
  assert.deepEqual(foreign('🔑'), ['🔑 (U+1F511)']);
  assert.ok(remarks({ path: 'été/.env', git: 'none' }).some(([, key]) => key === 'where.foreign'));
  assert.ok(remarks({ path: '.env', lands: 'été', git: 'none' }).some(([, key]) => key === 'where.foreign'));
});
