import type { Page } from '@playwright/test';

/** Work of a page's main thread in milliseconds of processor time, unaffected by other load on the machine. */
export interface MainThread {
  total: number;
  /** Part of it in tasks that are long enough to be noticed (W3C Long Tasks: 50 ms). */
  long: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Processor time, microseconds. */
  tdur?: number;
  args?: { name?: string };
}

const longTaskMs = 50;

/** Starts watching the page. @returns a function that ends it and returns the figures */
export const watchMainThread = async (page: Page): Promise<() => Promise<MainThread>> => {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  return async () => {
    const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    return busiest(events);
  };
};

const includedCategories = ['toplevel'];

/** Each process of the browser has main threads; the page's is the busiest. */
const busiest = (events: readonly TraceEvent[]): MainThread => {
  const all = events
    .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
    .map(({ pid, tid }) => {
      const tasks = events
        .filter((event) => event.pid === pid && event.tid === tid && isTask(event))
        .map(({ tdur = 0 }) => tdur / 1000);
      const long = tasks.filter((ms) => ms >= longTaskMs);
      return { total: sumOf(tasks), long: sumOf(long) };
    });
  return all.toSorted((a, b) => b.total - a.total)[0] ?? { total: Number.NaN, long: Number.NaN };
};

const isTask = ({ name, ph }: TraceEvent): boolean => ph === 'X' && name === 'ThreadControllerImpl::RunTask';

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
