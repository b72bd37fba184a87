/** Where the page's parts meet: its data, the form, the service, and what follows from the service's answers. */

import { meaning, state } from './answer.js';
import { closedPage } from './closed_page.js';
import { shownPath } from './destination.js';
import { found, make, put } from './dom.js';
import { FINGERPRINT_KEY_SIZE } from './fingerprint.js';
import { form } from './form.js';
import { language } from './language.js';
import { askBeforeLeaving } from './leave_guard.js';
import { keyFrom } from './link.js';
import { overtakenPage } from './overtaken_page.js';
import { fingerprintWithout, presses } from './presses.js';
import { seal } from './seal.js';
import { fit } from './self_check.js';
import { service } from './service.js';
import { statusBar } from './status_bar.js';
import { submission } from './submission.js';
import { watch } from './watch.js';
import { writtenPage } from './written_page.js';

/** When the clock gained so many ms on the page, the tab was asleep or somebody set the clock. */
const ASLEEP = 5_000;

/** @param {number} size */
const random = (size) => crypto.getRandomValues(new Uint8Array(size));

const request = JSON.parse(found('request').textContent);
const { host, sink, token, nonce } = request;
const words = language(JSON.parse(found('words').textContent), { host, path: shownPath(sink) });
const { say } = words;
const server = service(token, nonce);
const top = statusBar(found('contact'), found('left'), say);
const publicKey = keyFrom(location.hash, request.key_id);

put(found('title'), say('title'));
put(found('says'), say('says'));
found('title').after(make('p', { class: 'claims' }, say('claims')));
words.offer(found('language'), server.words, entitle);

/** Give the tab the page's heading as its title. */
function entitle() {
  document.title = found('title').textContent;
}

if (publicKey === null) {
  finish(closedPage('cut', [], say));
  // A person mended the link in the address bar: nothing is typed yet, so the page starts again.
  addEventListener('hashchange', () => location.reload());
} else {
  open(publicKey);
}

/**
 * @param {Node} page replaces everything below the bar
 * @param {'closed' | 'done'} how
 */
function finish(page, how = 'closed') {
  top.show(how);
  top.left(null);
  found('page').replaceChildren(page);
  entitle();
  found('title').focus();
  scrollTo(0, 0);
}

/** @param {Uint8Array} key */
function open(key) {
  const sent = presses();
  const generated = request.secrets.filter(({ generate }) => generate).map(({ name }) => name);
  const parts = form(request, say, random, { press, decline, touched: askBeforeLeaving });
  /** Whether a press or a decline is under way: its answer says more than the status does. */
  let busy = false;
  let contact = 'connected';
  let deadline = performance.now() + request.expires_in * 1000;

  const watcher = watch({
    ask: async () => {
      const { status, body } = await server.status();
      const answer = state(status, body);
      return busy && answer.kind === 'closed' ? { kind: 'open', expiresIn: secondsLeft() } : answer;
    },
    now: () => performance.now(),
    later: (then, ms) => setTimeout(then, ms),
    never: (timer) => clearTimeout(timer),
    contact: (now) => {
      contact = now;
      top.show(contact);
      parts.away(contact === 'away');
      showLeft();
    },
    left: (seconds) => {
      deadline = performance.now() + seconds * 1000;
      showLeft();
    },
    closed,
  });

  const secondsLeft = () => Math.max(0, (deadline - performance.now()) / 1000);
  /** A service that does not answer has no time left to show. */
  const showLeft = () => top.left(contact === 'away' ? null : secondsLeft());
  let lastTick = Date.now();
  const tick = setInterval(() => {
    const slept = Math.abs(Date.now() - lastTick - 1000) > ASLEEP;
    lastTick = Date.now();
    showLeft();
    // Some browsers' clocks stop while the machine sleeps; the service's does not.
    if (slept || secondsLeft() === 0) watcher.nudge();
  }, 1000);
  const looked = () => document.visibilityState === 'visible' && watcher.nudge();
  const listeners = [
    [document, 'visibilitychange', looked],
    [window, 'focus', looked],
    [window, 'online', looked],
    [window, 'pageshow', ({ persisted }) => persisted && looked()],
  ];

  top.show('checking');
  found('form').replaceChildren(parts.element);
  // The form shows before it is ready: the check takes some 50 ms of BigInt arithmetic on a slow phone.
  setTimeout(() => {
    if (!fit()) return finish(closedPage('unfit', [], say));
    for (const [target, event, listener] of listeners) target.addEventListener(event, listener);
    parts.enable(true);
    top.show(contact);
    showLeft();
    watcher.start();
  });

  /**
   * @param {Node} page
   * @param {'closed' | 'done'} [how]
   */
  function close(page, how) {
    watcher.stop();
    parts.close();
    clearInterval(tick);
    for (const [target, event, listener] of listeners) target.removeEventListener(event, listener);
    finish(page, how);
  }

  /** @param {import('./answer.js').Closed} answer */
  function closed(answer) {
    const result = { ...answer, keys: [], notes: [], shellDiffers: [] };
    if (answer.status === 'written' && ours(answer.fingerprint, result)) return;
    close(closedPage(`ended.${answer.status}`, parts.typed(), say));
  }

  /**
   * Shows the end of a request that a press of this page wrote, and says whether one did. A press that was held up on
   * its way can be written after a later one was sent: then the file does not hold what stands in the fields.
   *
   * @param {string[]} fingerprint of what was written
   * @param {any} result
   */
  function ours(fingerprint, result) {
    const changed = sent.changedSince(fingerprint, parts.draft().values);
    if (changed === null) return false;
    if (changed.length === 0) wrote(result, fingerprint);
    else close(overtakenPage(fingerprint, changed, parts.typed(changed), say));
    return true;
  }

  function wrote(result, ours) {
    parts.wipe();
    close(writtenPage(result, ours, say), ours.join('') === result.fingerprint.join('') ? 'done' : 'closed');
  }

  async function press() {
    if (busy || parts.unready()) return;
    const { values } = parts.draft();
    const fingerprintKey = random(FINGERPRINT_KEY_SIZE);
    const text = submission({ token, nonce, values, allowTracked: parts.allowed(), fingerprintKey });
    if (text === null) return parts.showProblems([say('again.large')]);
    sent.add(fingerprintKey, values, generated);
    const sealed = seal(key, text, random);

    busy = true;
    parts.sending(true);
    const { status, body } = await server.write(sealed);
    busy = false;
    parts.sending(false);

    const answer = meaning(status, body);
    if (answer.kind === 'written') {
      const kept = answer.keys.filter(({ outcome }) => outcome === 'kept').map(({ name }) => name);
      const expected = fingerprintWithout(kept, fingerprintKey, values);
      const same = expected.join('') === answer.fingerprint.join('');
      if (same || !ours(answer.fingerprint, answer)) wrote(answer, expected);
    } else if (answer.kind === 'errors') {
      parts.showErrors(answer.errors, answer.form);
    } else {
      failed(answer);
    }
  }

  async function decline() {
    if (busy) return;
    busy = true;
    parts.sending(true);
    const { status, body } = await server.decline();
    busy = false;
    parts.sending(false);
    if (status === 200) {
      parts.wipe();
      close(closedPage('ended.declined', [], say));
    } else failed(meaning(status, body));
  }

  /** @param {any} answer */
  function failed(answer) {
    if (answer.kind === 'closed') return closed(answer);
    parts.tryAgain();
    if (answer.kind === 'again') {
      parts.showProblems([say(answer.word), ...(answer.sentence ? [answer.sentence] : [])], 'warn');
    }
    // The status tells whether the service is there, and whether the write went through after all.
    watcher.nudge();
  }
}
