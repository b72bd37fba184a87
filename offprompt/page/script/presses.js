/**
 * The presses of this page. Any of them may be the one that is written: its answer can be lost, and a later press can
 * overtake it. Of a press only fingerprints are kept, of all its values and of each one. By them the page knows which
 * press the file holds, and which values were changed after it.
 */

import { fingerprint } from './fingerprint.js';

/** So many generated keys are told apart by whether the file had got them meanwhile: 16 fingerprints a press. */
const TOLD_APART = 4;

/**
 * Return the fingerprint of the values that were written, empty when none was.
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

/** @param {Uint8Array} key @param {string} name @param {Record<string, string>} values */
const one = (key, name, values) => (name in values ? fingerprint(key, { [name]: values[name] }).join('') : '');

export function presses() {
  /** @type {{key: Uint8Array, names: Map<string, string>, whole: Map<string, string[]>}[]} */
  const all = [];
  return {
    /**
     * @param {Uint8Array} key
     * @param {Record<string, string>} values
     * @param {string[]} generated names whose values count only if the file still has none when it is written
     */
    add: (key, values, generated) => {
      const names = new Map(Object.keys(values).map((name) => [name, one(key, name, values)]));
      const whole = new Map();
      const sent = generated.filter((name) => name in values).slice(0, TOLD_APART);
      for (let some = 0; some < 1 << sent.length; some += 1) {
        const kept = sent.filter((_, at) => some & (1 << at));
        whole.set(fingerprintWithout(kept, key, values).join(''), kept);
      }
      all.push({ key, names, whole });
    },
    /**
     * Return which values differ from those that were written with this fingerprint.
     *
     * @param {string[]} written
     * @param {Record<string, string>} now what another press would send
     * @returns {string[] | null} the names whose value in the file is not the one of `now`; null when no press of this
     *   page was written
     */
    changedSince: (written, now) => {
      const four = written.join('');
      const press = all.findLast(({ whole }) => four !== '' && whole.has(four));
      if (press === undefined) return null;
      const kept = press.whole.get(four);
      const names = [...new Set([...press.names.keys(), ...Object.keys(now)])].filter((name) => !kept.includes(name));
      return names.filter((name) => (press.names.get(name) ?? '') !== one(press.key, name, now)).sort();
    },
  };
}
