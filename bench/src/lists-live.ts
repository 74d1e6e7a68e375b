import { join } from 'node:path';
import { withClient } from './cluster.ts';
import { signIn } from './console-client.ts';
import { type Fleet, firstImsi, radiusSecret } from './fleet.ts';
import { listCases } from './list-cases.ts';
import { randomNumbers, timeList } from './lists.ts';
import { startProduct } from './product.ts';
import { median, quantile } from './report.ts';
import type { Run } from './run.ts';
import { type Acknowledged, openSteadyLoad, type SteadyFigures } from './steady-load.ts';

const budgetMs = 50;
const tries = 30;
const warmUps = 4;
/** Share of the stated rate that must have been acknowledged for the figures to be valid. */
const minRateShare = 0.95;

/**
 * The list's queries during accounting at a stated rate by a server with a separate role, as in an installation, compared with
 * the same queries without accounting, alternating by query so that other load on the machine affects both.
 */
export const listsLive = async (run: Run): Promise<void> => {
  const { options, progress } = run;
  const { fleet } = await run.bigFleet();
  const started: { stop(): Promise<void> }[] = [];
  const start = async (roles: string) => {
    const dataDir = join(fleet.dataDir, `lists-live-${roles}`);
    const product = await startProduct({ ...fleet, dataDir, roles, radiusSecret, profile: options.profile });
    started.push(product);
    return product;
  };
  try {
    const listClient = { client: await signIn(await start('web'), fleet), sims: options.sims };
    const before = await readStored(fleet);
    const load = await openSteadyLoad({
      port: (await start('aaa')).acctPort,
      secret: radiusSecret,
      rate: options.rate,
      sims: options.sims,
      firstImsi,
      run: Math.floor(Date.now() / 1000),
    });
    started.push({ stop: async () => load.close() });
    const all = { withoutAccounting: [] as number[], duringAccounting: [] as number[] };
    const figures: SteadyFigures[] = [];
    const random = randomNumbers();
    const measureCase = async (listCase: (typeof listCases)[number]): Promise<number[]> => {
      const samples: number[] = [];
      for (let index = -warmUps; index < tries; index += 1) {
        const milliseconds = await timeList(listCase, listClient, random);
        if (index >= 0) samples.push(milliseconds);
      }
      return samples;
    };
    for (const listCase of listCases) {
      progress(`${listCase.name}, without and beside accounting`);
      const withoutAccounting = await measureCase(listCase);
      load.resume();
      const duringAccounting = await measureCase(listCase);
      figures.push(await load.pause());
      all.withoutAccounting.push(...withoutAccounting);
      all.duringAccounting.push(...duringAccounting);
      run.add(
        comparisonLine(listCase.name, {
          withoutAccounting,
          duringAccounting,
        }),
      );
    }
    run.add(comparisonLine('all of them', all));
    addAccounting(run, figures);
    await verify(fleet, { before, acknowledged: load.acknowledged() });
    run.note(
      `95th percentile of ${tries} calls each over loopback HTTP, ${options.sims.toLocaleString('en-US')} SIMs in one ` +
        `organisation; baseline: without accounting. Accounting: ${options.rate} packets a second from a steady clock, ` +
        'a tenth Starts, a tenth Stops, the rest Interim-Updates; a process with the role aaa.',
    );
    run.note('Every answer was authentic; afterwards every record was in the database exactly once.');
  } finally {
    for (const product of started.toReversed()) await product.stop();
  }
};

const comparisonLine = (
  what: string,
  { withoutAccounting, duringAccounting }: { withoutAccounting: number[]; duringAccounting: number[] },
) => {
  const [measured, baseline] = [quantile(duringAccounting, 0.95), quantile(withoutAccounting, 0.95)];
  return {
    what,
    measured,
    baseline,
    unit: 'ms',
    ratio: measured / baseline,
    budget: `${budgetMs} ms`,
    met: measured <= budgetMs,
    details: {
      'p50 ms': quantile(duringAccounting, 0.5),
      'p50 ms, without': quantile(withoutAccounting, 0.5),
    },
  };
};

const addAccounting = ({ options, add }: Run, figures: readonly SteadyFigures[]): void => {
  const perSecond = median(figures.map((one) => one.perSecond));
  add({
    what: 'accounting meanwhile',
    measured: perSecond,
    unit: '/s',
    budget: `${options.rate}/s`,
    met: perSecond >= options.rate * minRateShare,
    details: {
      'p95 ms, median of the stretches': median(figures.map(({ p95Ms }) => p95Ms)),
      retransmitted: figures.reduce((sum, one) => sum + one.retransmitted, 0),
    },
  });
};

type Stored = Pick<Acknowledged, 'sessions' | 'stopped' | 'bytes'>;

const readStored = (fleet: Fleet): Promise<Stored> =>
  withClient(fleet.databaseUrl, async (client) => {
    const { rows } = await client.query<Stored>(
      `select (select count(*)::float8 from radius_sessions) as sessions,
         (select count(*)::float8 from radius_sessions where stopped_at is not null) as stopped,
         (select coalesce(sum(up_bytes + down_bytes), 0)::float8 from cdrs) as bytes`,
    );
    return rows[0] ?? { sessions: 0, stopped: 0, bytes: 0 };
  });

const verify = async (
  fleet: Fleet,
  { before, acknowledged }: { before: Stored; acknowledged: Acknowledged },
): Promise<void> => {
  if (acknowledged.forged > 0) throw new Error(`${acknowledged.forged} answers were not authentic`);
  const after = await readStored(fleet);
  for (const name of ['sessions', 'stopped', 'bytes'] as const) {
    const found = after[name] - before[name];
    if (found !== acknowledged[name])
      throw new Error(`${name} is ${found}, not ${acknowledged[name]}: records were lost or counted twice`);
  }
};
