/** The text of a file's bytes, if they are text: files come from any system and may be anything. */

/** Bytes of the largest file that is read: as the service reads of a dotenv file (offprompt/sinks/content.py). */
export const MAX_FILE = 1024 * 1024;

/**
 * @param {Uint8Array} bytes UTF-8, or UTF-16 with its mark, as PowerShell writes it
 * @returns {string | null} the text without the mark, or null for other bytes
 */
export function textOf(bytes) {
  const [first, second] = bytes;
  const mark = (first << 8) | second;
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
