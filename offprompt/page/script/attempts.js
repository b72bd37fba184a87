/**
 * The presses whose answer may have been lost. Of each only the fingerprint is kept: by it the page knows its own write
 * when the service later says that the request was written.
 */
export function attempts() {
  /** @type {Set<string>} */
  const made = new Set();
  return {
    /** @param {string[]} fingerprint */
    add: (fingerprint) => made.add(fingerprint.join('')),
    /** @param {string[]} fingerprint */
    has: (fingerprint) => fingerprint.length > 0 && made.has(fingerprint.join('')),
  };
}
