/**
 * Decides what the service's answer to a press means for the page. Sends and shows nothing.
 *
 * @typedef {{kind: 'written', fingerprint: string[], file: string, keys: {name: string, outcome: string}[],
 *   notes: string[], shellDiffers: string[]}} Written
 * @typedef {{kind: 'errors', errors: Record<string, string[]>, form: string[]}} Errors
 * @typedef {{kind: 'closed', status: string, fingerprint: string[]}} Closed
 * @typedef {{kind: 'again', word: string, sentence: string}} Again `sentence` is the service's own, or empty
 * @typedef {{kind: 'gone'}} Gone the service runs and does not know this request
 */

const AGAIN = {
  0: 'again.offline',
  403: 'again.refused',
  409: 'again.busy',
  413: 'again.large',
  429: 'again.often',
  500: 'again.failed',
};

/** @param {unknown} value @returns {string[]} */
const lines = (value) => (Array.isArray(value) ? value.filter((line) => typeof line === 'string') : []);

/** @param {unknown} value @returns {any} */
const object = (value) => (value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null);

/**
 * @param {number} status of HTTP; 0 when there was no answer
 * @param {unknown} body parsed JSON, or null
 * @returns {Written | Errors | Closed | Again | Gone}
 */
export function meaning(status, body) {
  const said = object(body);
  if (status === 200 && said?.status === 'written' && Array.isArray(said.keys)) {
    const { file, keys } = said;
    const [notes, shellDiffers] = [lines(said.notes), lines(said.shell_differs)];
    return { kind: 'written', fingerprint: lines(said.fingerprint), file: String(file), keys, notes, shellDiffers };
  }
  if (status === 422 && said) {
    const errors = Object.entries(object(said.errors) ?? {}).map(([name, value]) => [name, lines(value)]);
    return { kind: 'errors', errors: Object.fromEntries(errors), form: lines(said.form) };
  }
  if (status === 410 && typeof said?.status === 'string') return closed(said);
  if (status === 404) return { kind: 'gone' };
  // A tunnel without its far end answers itself, with pages of 502 and 520 to 530: no JSON, so not the service.
  if (status > 500 || (status === 500 && !said)) return { kind: 'again', word: AGAIN[0], sentence: '' };
  const sentence = status === 500 && typeof said?.error === 'string' ? said.error : '';
  return { kind: 'again', word: AGAIN[status] ?? 'again.fault', sentence };
}

/**
 * @param {any} said the object of `/status` of a closed request
 * @returns {Closed}
 */
export function closed(said) {
  return { kind: 'closed', status: said.status, fingerprint: lines(said.fingerprint) };
}

/**
 * @param {number} status of HTTP; 0 when there was no answer
 * @param {unknown} body
 * @returns {{kind: 'open', expiresIn: number} | Closed | Gone | {kind: 'silent'}}
 */
export function state(status, body) {
  const said = object(body);
  if (status === 404) return { kind: 'gone' };
  if (status !== 200 || typeof said?.status !== 'string') return { kind: 'silent' };
  if (said.status === 'awaiting') return { kind: 'open', expiresIn: Number(said.expires_in) || 0 };
  return closed(said);
}
