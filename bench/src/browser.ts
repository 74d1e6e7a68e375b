import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from '@playwright/test';
import { launchChromium } from './chromium.ts';
import { checkRows, type ListWork, searchSims } from './console-list.ts';
import { type PageMetrics, type SignInState, storeSignIn, visit } from './console-visit.ts';
import { type Demonstration, startDemonstration } from './demonstration.ts';
import { type MainThread, watchMainThread } from './main-thread.ts';
import { median } from './report.ts';
import type { Run } from './run.ts';

const startMs = 600_000;
const idleMs = 60_000;
const slowLineBitsPerSecond = 800_000;
/** Time after which the simulated devices have connected, and an idle dashboard receives updates. */
const settleMs = 30_000;

/** Matches once per chart: bars are drawings within the drawing. */
const drawnChart = 'figure canvas, figure div > svg';
const pages = {
  dashboard: { path: 'analysis', complete: { selector: drawnChart, count: 4 } },
  list: { path: 'simCard', complete: { selector: 'tbody input[type="checkbox"]', count: 20 } },
};

/** A measured product: this checkout, or the one that it is compared with. */
interface Subject {
  demonstration: Demonstration;
  state: SignInState;
  dashboard: PageMetrics[];
  list: PageMetrics[];
  detail: PageMetrics[];
  slow: PageMetrics[];
  work: ListWork[];
  /** Main thread of the list until it is complete, and time for checking one row. */
  threads: { list: MainThread; check: number }[];
  idleRequests: number;
}

/** The console with the demonstration in a real Chromium with an empty cache, measured by the browser itself. */
export const browser = async (run: Run): Promise<void> => {
  const chromium = await launchChromium();
  const directory = await mkdtemp(join(tmpdir(), 'simcube-bench-browser-'));
  await chmod(directory, 0o755);
  const subjects: Subject[] = [];
  try {
    for (const checkout of [undefined, run.options.before]) {
      if (subjects.length > 0 && checkout === undefined) continue;
      run.progress(`demonstration of ${checkout ?? 'this checkout'}`);
      subjects.push(await prepareSubject(chromium, join(directory, String(subjects.length)), checkout));
    }
    await sleep(settleMs);
    for (let round = 0; round < run.options.rounds; round += 1) {
      run.progress(`round ${round + 1}`);
      for (const subject of subjects) await measure(chromium, subject);
    }
    run.progress('idle dashboards');
    await Promise.all(subjects.map((subject) => measureIdle(chromium, subject)));
    report(run, subjects);
  } finally {
    await chromium.close();
    for (const { demonstration } of subjects) await demonstration.stop();
    await rm(directory, { recursive: true, force: true });
  }
};

const prepareSubject = async (
  chromium: Browser,
  dataDir: string,
  checkout: string | undefined,
): Promise<Subject> => {
  const demonstration = await startDemonstration({
    dataDir,
    timeoutMs: startMs,
    ...(checkout === undefined ? {} : { checkout }),
  });
  const state = await storeSignIn(chromium, demonstration.url);
  return {
    demonstration,
    state,
    dashboard: [],
    list: [],
    detail: [],
    slow: [],
    work: [],
    threads: [],
    idleRequests: 0,
  };
};

const measure = async (chromium: Browser, subject: Subject): Promise<void> => {
  const { demonstration, state } = subject;
  const open = (path: string, complete: { selector: string; count: number }, bitsPerSecond?: number) =>
    visit({
      browser: chromium,
      state,
      address: `${demonstration.url}/en-US/${path}`,
      complete,
      ...(bitsPerSecond === undefined ? {} : { bitsPerSecond }),
    });
  const dashboard = await open(pages.dashboard.path, pages.dashboard.complete);
  subject.dashboard.push(await dashboard.metrics());
  await dashboard.close();
  const list = await open(pages.list.path, pages.list.complete);
  subject.list.push(await list.metrics());
  const checks = await checkRows(list.page);
  const search = await searchSims(list.page);
  subject.work.push({ checks, ...search });
  await list.close();
  subject.threads.push(await measureThreads(chromium, subject));
  const detail = await open(`simCard/${search.iccid}`, { selector: drawnChart, count: 1 });
  subject.detail.push(await detail.metrics());
  await detail.close();
  const slow = await open(pages.dashboard.path, pages.dashboard.complete, slowLineBitsPerSecond);
  subject.slow.push(await slow.metrics());
  await slow.close();
};

/** Measured separately, because tracing would affect the other figures. */
const measureThreads = async (chromium: Browser, { demonstration, state }: Subject) => {
  const watched: { end?: () => Promise<MainThread> } = {};
  const { page, close } = await visit({
    browser: chromium,
    state,
    address: `${demonstration.url}/en-US/${pages.list.path}`,
    complete: pages.list.complete,
    before: async (empty) => {
      watched.end = await watchMainThread(empty);
    },
  });
  const list = (await watched.end?.()) ?? { total: Number.NaN, long: Number.NaN };
  const end = await watchMainThread(page);
  const checks = await checkRows(page);
  const check = (await end()).total / checks.length;
  await close();
  return { list, check };
};

const measureIdle = async (chromium: Browser, subject: Subject): Promise<void> => {
  const { demonstration, state } = subject;
  const address = `${demonstration.url}/en-US/${pages.dashboard.path}`;
  const { complete } = pages.dashboard;
  const { requests, close } = await visit({ browser: chromium, state, address, complete });
  const before = requests();
  await sleep(idleMs);
  subject.idleRequests = requests() - before;
  await close();
};

interface Figure {
  what: string;
  unit: string;
  value: (subject: Subject) => number;
  max?: number;
}

const medianOf = (samples: readonly PageMetrics[], value: (metrics: PageMetrics) => number): number =>
  median(samples.map(value));
const maxOf = (samples: readonly number[]): number => Math.max(...samples);

const figures: readonly Figure[] = [
  {
    what: 'dashboard, requests',
    unit: '',
    max: 25,
    value: ({ dashboard }) => medianOf(dashboard, (metrics) => metrics.requests),
  },
  {
    what: 'dashboard, transferred',
    unit: 'kB',
    max: 400,
    value: ({ dashboard }) => medianOf(dashboard, (metrics) => metrics.transferred / 1000),
  },
  {
    what: 'dashboard, largest paint',
    unit: 'ms',
    value: ({ dashboard }) => medianOf(dashboard, (metrics) => metrics.largestPaint),
  },
  { what: 'list, requests', unit: '', value: ({ list }) => medianOf(list, (metrics) => metrics.requests) },
  {
    what: 'list, transferred',
    unit: 'kB',
    value: ({ list }) => medianOf(list, (metrics) => metrics.transferred / 1000),
  },
  {
    what: 'list, largest paint',
    unit: 'ms',
    value: ({ list }) => medianOf(list, (metrics) => metrics.largestPaint),
  },
  {
    what: 'list, long tasks',
    unit: 'ms',
    max: 350,
    value: ({ list }) => medianOf(list, (metrics) => metrics.longTasks),
  },
  {
    what: "list, long tasks by the main thread's processor time",
    unit: 'ms',
    max: 350,
    value: ({ threads }) => median(threads.map(({ list }) => list.long)),
  },
  {
    what: "list, the main thread's processor time",
    unit: 'ms',
    value: ({ threads }) => median(threads.map(({ list }) => list.total)),
  },
  {
    what: 'SIM, largest paint',
    unit: 'ms',
    value: ({ detail }) => medianOf(detail, (metrics) => metrics.largestPaint),
  },
  {
    what: 'first paint at 800 kbit/s',
    unit: 'ms',
    value: ({ slow }) => medianOf(slow, (metrics) => metrics.firstPaint),
  },
  {
    what: 'largest paint at 800 kbit/s',
    unit: 'ms',
    value: ({ slow }) => medianOf(slow, (metrics) => metrics.largestPaint),
  },
  {
    what: 'a row checked, to the next paint',
    unit: 'ms',
    max: 32,
    value: ({ work }) => median(work.flatMap(({ checks }) => checks)),
  },
  {
    what: "a row checked, the main thread's processor time",
    unit: 'ms',
    value: ({ threads }) => median(threads.map(({ check }) => check)),
  },
  {
    what: 'a key in the search, to the next paint',
    unit: 'ms',
    max: 32,
    value: ({ work }) => median(work.flatMap(({ keys }) => keys)),
  },
  {
    what: 'search results after the debounce',
    unit: 'ms',
    max: 200,
    value: ({ work }) => median(work.map(({ results }) => results)),
  },
  { what: 'idle dashboard, requests a minute', unit: '', max: 6, value: ({ idleRequests }) => idleRequests },
];

const report = (run: Run, [after, before]: Subject[]): void => {
  if (!after) return;
  for (const { what, unit, value, max } of figures) {
    const measured = value(after);
    run.add({
      what,
      measured,
      unit,
      ...(before ? { baseline: value(before) } : {}),
      ...(max === undefined ? {} : { budget: `${max} ${unit}`.trim(), met: measured <= max }),
    });
  }
  run.note(
    'Medians of the rounds; the baseline is the other checkout (--before), measured in turns with this one.',
  );
  run.note(
    'Event Timing reports interactions in steps of 8 ms, from 16 ms on; what was quicker counts as 16 ms.',
  );
  run.note(
    `Worst of all rounds: a row checked ${maxOf(after.work.flatMap(({ checks }) => checks))} ms, a key ` +
      `${maxOf(after.work.flatMap(({ keys }) => keys))} ms, search results ` +
      `${Math.round(maxOf(after.work.map(({ results }) => results)))} ms.`,
  );
};
