/**
 * Watches the request while a person types: asks for its status every ten seconds, sooner once an answer is missing.
 *
 * @typedef {'connected' | 'reconnecting' | 'away'} Contact
 */

/** The pause between two questions, in ms, by contact. */
export const EVERY = { connected: 10_000, reconnecting: 2_000, away: 10_000 };

/** Without an answer for so many ms, the agent's session has probably ended, and the service with it. */
export const AWAY_AFTER = 30_000;

/**
 * @param {object} parts
 * @param {() => Promise<ReturnType<typeof import('./answer.js').state>>} parts.ask
 * @param {() => number} parts.now ms, never going back
 * @param {(then: () => void, ms: number) => unknown} parts.later
 * @param {(timer: any) => void} parts.never cancels a `later`
 * @param {(contact: Contact) => void} parts.contact
 * @param {(seconds: number) => void} parts.left
 * @param {(closed: import('./answer.js').Closed) => void} parts.closed
 */
export function watch({ ask, now, later, never, contact, left, closed }) {
  /** @type {Contact} */
  let current = 'connected';
  let silentSince = 0;
  let timer;
  let asking = false;
  let stopped = false;

  function become(next) {
    if (current === next) return;
    current = next;
    contact(next);
  }

  async function question() {
    if (asking || stopped) return;
    asking = true;
    never(timer);
    const answer = await ask();
    asking = false;
    if (stopped) return;
    if (answer.kind === 'closed') {
      closed(answer);
    } else if (answer.kind === 'open') {
      become('connected');
      left(answer.expiresIn);
    } else {
      if (current === 'connected') silentSince = now();
      // A service that does not know the request is another one: the old one will not come back.
      const gone = answer.kind === 'gone' || now() - silentSince >= AWAY_AFTER;
      become(gone || current === 'away' ? 'away' : 'reconnecting');
    }
    if (!stopped) timer = later(question, EVERY[current]);
  }

  return {
    /** @param {number} [ms] until the first question */
    start: (ms = EVERY.connected) => {
      timer = later(question, ms);
    },
    /** Ask at once: a person came back to the page, the network came back, or a press got no answer. */
    nudge: question,
    stop: () => {
      stopped = true;
      never(timer);
    },
  };
}
