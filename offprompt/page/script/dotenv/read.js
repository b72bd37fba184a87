/** What a dotenv text says, where node's and Python's readers agree on it: the rule by which offprompt writes such files. */

import { byNode } from './node.js';
import { byPython, isFilled } from './python.js';

/**
 * @param {string} text
 * @returns {Map<string, string | null>} by name, in the order of the file; null where the readers do not agree, or Python's
 *   fills in a part by itself
 */
export function read(text) {
  const node = byNode(text);
  const python = byPython(text);
  const agreed = new Map();
  for (const name of new Set([...node.keys(), ...python.keys()])) {
    const value = node.get(name);
    agreed.set(name, value !== undefined && value === python.get(name) && !isFilled(value) ? value : null);
  }
  return agreed;
}
