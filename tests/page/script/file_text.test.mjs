import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../../offprompt/page/script/file_text.js';

const bytes = (...parts) => new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))));

test('UTF-8 is read with and without its mark, line ends as they are', () => {
  assert.equal(textOf(bytes('A=é🔑\r\nB=2\r')), 'A=é🔑\r\nB=2\r');
  assert.equal(textOf(bytes([0xef, 0xbb, 0xbf], 'A=1')), 'A=1');
  assert.equal(textOf(bytes('')), '');
});

test('UTF-16 is read in both orders, as PowerShell writes it', () => {
  const little = Buffer.from('A=é🔑\r\n', 'utf16le');
  assert.equal(textOf(bytes([0xff, 0xfe], little)), 'A=é🔑\r\n');
  assert.equal(textOf(bytes([0xfe, 0xff], Buffer.from(little).swap16())), 'A=é🔑\r\n');
});

test('what is no text is nothing, cut at any byte or not', () => {
  const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13];
  for (let size = 1; size <= png.length; size += 1) assert.equal(textOf(bytes(png.slice(0, size))), null, String(size));
  assert.equal(textOf(bytes('A=1\0')), null);
  assert.equal(textOf(bytes('A=', [0xc3])), null);
  assert.equal(textOf(bytes([0xff, 0xfe, 0x41])), null);
  assert.equal(textOf(bytes(Buffer.from('A=1', 'utf16le'))), null);
});
