import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { demo, fillSignIn } from '../../e2e/src/console.ts';

/** Browser storage of a signed-in person. */
export type SignInState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Timings of a page measured by the browser, milliseconds since the start of navigation. */
export interface PageMetrics {
  firstPaint: number;
  largestPaint: number;
  longTasks: number;
  requests: number;
  /** Octets over the network, including headers as the browser counts them. */
  transferred: number;
}

interface Timing {
  at: number;
  duration: number;
}

declare global {
  interface Window {
    /** Reports of the browser since the page's start; for interactions, the event and the time to its paint. */
    bench: { largest: number; longTasks: Timing[]; interactions: (Timing & { name: string })[] };
  }
}

const viewport = { width: 1440, height: 900 };

/** Signs in twice, because only the first sign-in of a person shows the welcome. */
export const storeSignIn = async (browser: Browser, url: string): Promise<SignInState> => {
  const signInOnce = async (): Promise<SignInState> => {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    await page.goto(`${url}/en-US/login`);
    await fillSignIn(page, { email: demo.admin });
    await page.waitForURL((address) => !address.pathname.endsWith('/login'));
    const state = await context.storageState();
    await context.close();
    return state;
  };
  await signInOnce();
  return signInOnce();
};

/** Runs in the page before its own script, and collects the browser's reports. */
const installObservers = (): void => {
  window.bench = { largest: 0, longTasks: [], interactions: [] };
  // No named functions: the transpiler would insert references to a helper that the page lacks.
  for (const type of ['largest-contentful-paint', 'longtask', 'event']) {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { interactionId = 0, name, startTime: at, duration } = entry as PerformanceEventTiming;
        if (type === 'longtask') window.bench.longTasks.push({ at, duration });
        else if (type === 'event') {
          if (interactionId > 0) window.bench.interactions.push({ name, at, duration });
        } else window.bench.largest = at;
      }
    }).observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  }
};

export interface Visit {
  page: Page;
  /** Number of requests so far. */
  requests: () => number;
  metrics: () => Promise<PageMetrics>;
  close: () => Promise<void>;
}

interface VisitOptions {
  browser: Browser;
  state: SignInState;
  address: string;
  /** Selector and count of the elements that show that the page is complete. */
  complete: { selector: string; count: number };
  /** Bandwidth to the server; unlimited by default. */
  bitsPerSecond?: number;
  /** Prepares the page while it is still empty. */
  before?: (page: Page) => Promise<void>;
}

const completeTimeoutMs = 90_000;

/** Opens a page with an empty cache, and waits until it is complete. */
export const visit = async ({
  browser,
  state,
  address,
  complete,
  bitsPerSecond,
  before,
}: VisitOptions): Promise<Visit> => {
  const context = await browser.newContext({ viewport, storageState: state });
  const page = await context.newPage();
  await page.addInitScript(installObservers);
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  if (bitsPerSecond !== undefined) await throttleNetwork(page, bitsPerSecond);
  await before?.(page);
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(
    ({ selector, count }) =>
      document.querySelectorAll(selector).length >= count && !document.querySelector('[aria-busy="true"]'),
    complete,
    { timeout: completeTimeoutMs },
  );
  // The last changes are painted, and reported, a moment later.
  await sleep(500);
  return {
    page,
    requests: () => requests,
    metrics: async () => ({ ...(await page.evaluate(readMetrics)), requests }),
    close: () => context.close(),
  };
};

/** Typical latency of a mobile connection. */
const slowLineLatencyMs = 100;

const throttleNetwork = async (page: Page, bitsPerSecond: number): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const throughput = bitsPerSecond / 8;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: slowLineLatencyMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
};

const readMetrics = () => {
  const entries = [
    ...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource'),
  ] as PerformanceResourceTiming[];
  return {
    firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    largestPaint: window.bench.largest,
    longTasks: window.bench.longTasks.reduce((sum, { duration }) => sum + duration, 0),
    transferred: entries.reduce((sum, { transferSize }) => sum + transferSize, 0),
  };
};
