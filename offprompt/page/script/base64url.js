/** Base64url without padding (RFC 4648, section 5). */

/** @param {Uint8Array} bytes @returns {string} */
export function encode(bytes) {
  let binary = '';
  // In slices: a call takes some ten thousand arguments at most, and a sealed box is longer.
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * The bytes of `text`, or null where it is no base64url in its one canonical form: a link cut and mended by a chat
 * window must not pass for another key.
 *
 * @param {string} text
 * @returns {Uint8Array | null}
 */
export function decode(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return encode(bytes) === text ? bytes : null;
}
