import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLeft } from '../../../offprompt/page/script/status_bar.js';
import { watch } from '../../../offprompt/page/script/watch.js';

/** A watch over a scripted service, with a clock that goes when told. */
function watching(answers) {
  let now = 0;
  let timers = [];
  const seen = [];
  let asked = 0;
  const watcher = watch({
    ask: async () => {
      asked += 1;
      return answers(now);
    },
    now: () => now,
    later: (then, ms) => {
      const timer = { then, at: now + ms };
      timers.push(timer);
      return timer;
    },
    never: (timer) => {
      timers = timers.filter((one) => one !== timer);
    },
    contact: (contact) => seen.push([now, contact]),
    left: () => {},
    closed: ({ status }) => {
      seen.push([now, status]);
      watcher.stop();
    },
  });
  const settle = () => new Promise((done) => setImmediate(done));
  return {
    watcher,
    seen,
    asked: () => asked,
    timers: () => timers.length,
    settle,
    pass: async (ms) => {
      const end = now + ms;
      for (;;) {
        const due = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
        if (!due) break;
        timers = timers.filter((one) => one !== due);
        now = due.at;
        due.then();
        await settle();
      }
      now = end;
    },
  };
}

const OPEN = { kind: 'open', expiresIn: 100 };
const SILENT = { kind: 'silent' };

test('it asks every ten seconds, and says nothing while all is well', async () => {
  const it = watching(() => OPEN);
  it.watcher.start();
  await it.pass(60_000);
  assert.equal(it.asked(), 6);
  assert.deepEqual(it.seen, []);
});

test('a service that goes away and comes back in time is reconnecting, then connected', async () => {
  const it = watching((now) => (now > 15_000 && now < 30_000 ? SILENT : OPEN));
  it.watcher.start();
  await it.pass(60_000);
  assert.deepEqual(it.seen, [[20_000, 'reconnecting'], [30_000, 'connected']]);
});

test('a service that stays away for 30 s is away, and may still come back', async () => {
  const it = watching((now) => (now > 15_000 && now < 80_000 ? SILENT : OPEN));
  it.watcher.start();
  await it.pass(120_000);
  assert.deepEqual(it.seen, [[20_000, 'reconnecting'], [50_000, 'away'], [80_000, 'connected']]);
});

test('a service that does not know the request is away at once, and stays so while it is silent', async () => {
  const it = watching((now) => (now > 15_000 && now < 25_000 ? { kind: 'gone' } : SILENT));
  it.watcher.start(15_001);
  await it.pass(60_000);
  assert.deepEqual(it.seen, [[15_001, 'away']]);
});

test('a tab that slept does not give up on its first try', async () => {
  const it = watching((now) => (now > 3_600_000 ? SILENT : OPEN));
  it.watcher.start();
  await it.pass(10_000);
  it.watcher.stop();
  const late = watching(() => SILENT);
  late.watcher.start(3_600_000);
  await late.pass(3_600_000);
  assert.deepEqual(late.seen, [[3_600_000, 'reconnecting']]);
});

test('a closed request ends it: nothing is asked or planned any more', async () => {
  const it = watching((now) => (now > 25_000 ? { kind: 'closed', status: 'expired', fingerprint: [] } : OPEN));
  it.watcher.start();
  await it.pass(120_000);
  assert.deepEqual(it.seen, [[30_000, 'expired']]);
  assert.equal(it.asked(), 3);
  assert.equal(it.timers(), 0);
});

test('looking at the page again asks at once, however often, and never twice at a time', async () => {
  const it = watching(() => OPEN);
  it.watcher.start();
  it.watcher.nudge();
  it.watcher.nudge();
  await it.settle();
  assert.equal(it.asked(), 1);
  assert.equal(it.timers(), 1);
});

test('the time left is told in whole minutes, in the last one in seconds', () => {
  assert.deepEqual(timeLeft(1790), ['left.minutes', 30]);
  assert.deepEqual(timeLeft(60.5), ['left.minutes', 2]);
  assert.deepEqual(timeLeft(60), ['left.seconds', 60]);
  assert.deepEqual(timeLeft(0.2), ['left.seconds', 1]);
  assert.deepEqual(timeLeft(-3), ['left.seconds', 0]);
});
