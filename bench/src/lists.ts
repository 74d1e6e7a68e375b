import { join } from 'node:path';
import { endpoints } from '@simcube/contract';
import { startCitus } from './citus.ts';
import { type ConsoleClient, signIn } from './console-client.ts';
import { type Fleet, fill, makeFleet } from './fleet.ts';
import { type ListCase, type ListQuery, listCases } from './list-cases.ts';
import { type Product, startProduct } from './product.ts';
import { quantile } from './report.ts';
import type { Run } from './run.ts';

const smallSims = 10_000;
const budgetMs = 50;
const budgetRatio = 2;
const warmUps = 4;
/** A millisecond is the noise of a loopback call, and is ignored in ratios. */
const noiseMs = 1;

/**
 * Lists and searches over HTTP on a running server with ten thousand SIMs and with a million, alternating so that other load on
 * the machine affects both. With several nodes, compared with the same SIMs on one node.
 */
export const lists = async (run: Run): Promise<void> => {
  const { options, progress } = run;
  const { fleet: large, cluster } = await run.bigFleet();
  const isDistributed = options.nodes !== undefined && options.nodes > 1;
  const smallCluster = isDistributed ? await startCitus(1) : cluster;
  const sims = isDistributed ? options.sims : smallSims;
  const products: Product[] = [];
  try {
    progress(`filling an installation with ${sims.toLocaleString('en-US')} SIMs`);
    const small = await makeFleet(smallCluster, { database: 'small', pastDays: 40 });
    await fill(small, sims);
    await smallCluster.distribute(small);
    const openClient = async (fleet: Fleet, clientSims: number): Promise<ListClient> => {
      const dataDir = join(fleet.dataDir, 'lists');
      const product = await startProduct({ ...fleet, dataDir, roles: 'web', profile: options.profile });
      products.push(product);
      return { client: await signIn(product, fleet), sims: clientSims };
    };
    const clients = { few: await openClient(small, sims), many: await openClient(large, options.sims) };
    const all = { few: [] as number[], many: [] as number[] };
    for (const listCase of listCases) {
      progress(listCase.name);
      const samples = await measure(listCase, { ...clients, tries: options.tries });
      all.few.push(...samples.few);
      all.many.push(...samples.many);
      run.add(comparisonLine(listCase.name, samples));
    }
    run.add(comparisonLine('all of them', all));
    run.note(
      `95th percentile of ${options.tries} calls each, page size 50, over loopback HTTP; baseline: the same ` +
        (isDistributed ? 'on one node. ' : `with ${sims.toLocaleString('en-US')} SIMs. `) +
        'All SIMs are of one organisation, the hardest case.',
    );
    run.note(`A difference below ${noiseMs} ms is not held against the ratio.`);
  } finally {
    for (const product of products) await product.stop();
    await (isDistributed ? smallCluster.stop() : cluster.drop('small'));
  }
};

interface ListClient {
  client: ConsoleClient;
  sims: number;
}

interface Samples {
  few: number[];
  many: number[];
}

const measure = async (
  listCase: ListCase,
  { few, many, tries }: { few: ListClient; many: ListClient; tries: number },
): Promise<Samples> => {
  const samples: Samples = { few: [], many: [] };
  const random = randomNumbers();
  for (let index = -warmUps; index < tries; index += 1) {
    const [quick, slow] = [await timeList(listCase, few, random), await timeList(listCase, many, random)];
    if (index < 0) continue;
    samples.few.push(quick);
    samples.many.push(slow);
  }
  return samples;
};

/** @returns milliseconds until the response */
export const timeList = async (
  listCase: ListCase,
  { client, sims }: ListClient,
  random: (below: number) => number,
): Promise<number> => {
  if (listCase.counts) {
    const body = listCase.query({ sims, random });
    return (await client.call(endpoints.sim.listCounts, { body })).milliseconds;
  }
  const query: ListQuery = { page_size: 50, ...listCase.query({ sims, random }) };
  const first = await client.call(endpoints.sim.list, { body: query });
  if (!listCase.byCursor) return first.milliseconds;
  const { page_no: _, ...rest } = query;
  const body = { ...rest, cursor: first.response.next_cursor };
  return (await client.call(endpoints.sim.list, { body })).milliseconds;
};

/** Pseudo-random numbers, the same in every run (a linear congruential generator with Knuth's constants). */
export const randomNumbers = () => {
  let state = 20_261_121n;
  return (below: number): number => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return Number(state >> 33n) % below;
  };
};

const comparisonLine = (what: string, { few, many }: Samples) => {
  const [measured, baseline] = [quantile(many, 0.95), quantile(few, 0.95)];
  const ratio = measured / baseline;
  return {
    what,
    measured,
    baseline,
    unit: 'ms',
    ratio,
    budget: `${budgetMs} ms, ${budgetRatio} ×`,
    met: measured <= budgetMs && (ratio <= budgetRatio || measured - baseline <= noiseMs),
    details: { 'p50 ms': quantile(many, 0.5), 'p50 ms, baseline': quantile(few, 0.5) },
  };
};
