/**
 * The presses whose answer may have been lost. Of each only fingerprints are kept: by them the page knows its own write
 * when the service later says that the request was written.
 */

import { fingerprint } from './fingerprint.js';

/** So many generated keys are told apart by whether the file had got them meanwhile: 16 fingerprints a press. */
const TOLD_APART = 4;

/**
 * The fingerprint of what went into the file, empty when nothing did.
 *
 * @param {string[]} kept names that the file already held, so that the values sent for them were dropped
 * @param {Uint8Array} key
 * @param {Record<string, string>} values
 * @returns {string[]}
 */
export function fingerprintWithout(kept, key, values) {
  const went = Object.entries(values).filter(([name]) => !kept.includes(name));
  return went.length > 0 ? fingerprint(key, Object.fromEntries(went)) : [];
}

export function presses() {
  /** @type {Set<string>} */
  const tried = new Set();
  return {
    /**
     * @param {Uint8Array} key
     * @param {Record<string, string>} values
     * @param {string[]} generated names whose values count only if the file still has none when it is written
     */
    add: (key, values, generated) => {
      const sent = generated.filter((name) => name in values).slice(0, TOLD_APART);
      for (let some = 0; some < 1 << sent.length; some += 1) {
        const kept = sent.filter((_, at) => some & (1 << at));
        tried.add(fingerprintWithout(kept, key, values).join(''));
      }
    },
    /** @param {string[]} fingerprint */
    has: (fingerprint) => fingerprint.length > 0 && tried.has(fingerprint.join('')),
  };
}
