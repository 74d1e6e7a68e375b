import { join } from 'node:path';
import type { EndpointShape } from '@simcube/contract';
import { type ConsoleClient, type ConsoleRequest, signIn } from './console-client.ts';
import type { Fleet } from './fleet.ts';
import { type Product, startProduct } from './product.ts';
import { quantile } from './report.ts';
import type { Run } from './run.ts';

const callCount = 40;
const warmUps = 3;

export interface TimedCall {
  name: string;
  endpoint: EndpointShape;
  /** Request of each attempt; attempts are counted from 0. */
  request: (attempt: number) => ConsoleRequest;
}

export interface CallBudget {
  ms: number;
  /** Uncompressed size of the response. */
  bytes?: number;
}

/** Runs work with a console client and a server started for it. */
export const withConsole = async (
  run: Run,
  { fleet, name, roles = 'web' }: { fleet: Fleet; name: string; roles?: string },
  work: (client: ConsoleClient, product: Product) => Promise<void>,
): Promise<void> => {
  const dataDir = join(fleet.dataDir, name);
  const product = await startProduct({ ...fleet, dataDir, roles, profile: run.options.profile });
  try {
    await work(await signIn(product, fleet), product);
  } finally {
    await product.stop();
  }
};

/** The 95th percentile of a call as a line of the table; with a baseline in milliseconds, it must be faster than that. */
export const measureCall = async (
  run: Run,
  client: ConsoleClient,
  {
    call,
    budget,
    baseline,
    cpuSeconds,
  }: {
    call: TimedCall;
    budget: CallBudget;
    baseline?: number;
    /** Processor time used so far by the responding processes, to show the cost of a call, which other load affects least. */
    cpuSeconds?: () => number;
  },
): Promise<void> => {
  const samples: number[] = [];
  let bytes = 0;
  let before = 0;
  for (let attempt = -warmUps; attempt < callCount; attempt += 1) {
    if (attempt === 0) before = cpuSeconds?.() ?? 0;
    const { milliseconds, response } = await client.call(call.endpoint, call.request(Math.max(0, attempt)));
    bytes = Buffer.byteLength(JSON.stringify(response));
    if (attempt >= 0) samples.push(milliseconds);
  }
  const cost = cpuSeconds && { 'CPU ms': ((cpuSeconds() - before) / callCount) * 1000 };
  const measured = quantile(samples, 0.95);
  const isWithinBudget = measured <= budget.ms && bytes <= (budget.bytes ?? Number.POSITIVE_INFINITY);
  run.add({
    what: call.name,
    measured,
    unit: 'ms',
    ...(baseline === undefined ? {} : { baseline, ratio: measured / baseline }),
    budget: `${budget.ms} ms${budget.bytes === undefined ? '' : `, ${budget.bytes / 1000} kB`}`,
    met: isWithinBudget && (baseline === undefined || measured < baseline),
    details: { 'p50 ms': quantile(samples, 0.5), ...cost, kB: Math.round(bytes / 1000) },
  });
};

/** Note that explains the figures of `measureCall`. */
export const callNote = `95th percentile of ${callCount} calls each, over loopback HTTP.`;
