/** Reads tests/vectors, which the service's own tests read too. */

import { readFileSync } from 'node:fs';

/** @param {string} name */
export const cases = (name) => JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), 'utf8')).cases;
