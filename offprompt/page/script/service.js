/** The page's requests to its service. Without an answer the status is 0; nothing is thrown. */

/** How long an answer may take, in ms: a write waits at most 5 s for the file's lock, and a tunnel takes its time. */
const WRITE_DEADLINE = 30_000;
const STATUS_DEADLINE = 8_000;

/**
 * @param {string} token
 * @param {string} nonce
 */
export function service(token, nonce) {
  /**
   * @param {string} path
   * @param {RequestInit} options
   * @param {number} deadline
   * @returns {Promise<{status: number, body: unknown}>}
   */
  async function ask(path, options, deadline) {
    try {
      const answer = await fetch(`/r/${token}${path}`, {
        cache: 'no-store',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(deadline),
        ...options,
      });
      // A body that is not JSON comes from a tunnel or a forwarded port, and not from the service.
      const body = await answer.json().catch(() => null);
      return { status: answer.status, body };
    } catch {
      return { status: 0, body: null };
    }
  }

  const headers = { 'Content-Type': 'application/json' };
  const post = (path, body) => ask(path, { method: 'POST', headers, body: JSON.stringify(body) }, WRITE_DEADLINE);

  return {
    /** @param {string} sealed */
    write: (sealed) => post('', { nonce, sealed }),
    decline: () => post('/decline', { nonce }),
    status: () => ask('/status', { headers: { Accept: 'application/json' } }, STATUS_DEADLINE),
    /** @param {string} lang @returns {Promise<{status: number, body: any}>} */
    words: (lang) => ask(`/words/${lang}`, { headers: { Accept: 'application/json' } }, STATUS_DEADLINE),
  };
}
