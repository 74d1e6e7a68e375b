import { dayMs } from '@simcube/contract/time';
import type pg from 'pg';
import { groupBy, inChunks } from '../../../platform/collections/index.ts';
import { inSnapshot, type Sql } from '../../../platform/db/index.ts';
import {
  listFirstUses,
  listPastCycles,
  listPastDays,
  listPastRecords,
  type PastCycle,
  type PastDays,
  sumPastRecords,
} from '../../usage/index.ts';
import { measuredOf, type UsageRule } from '../engine/usage.rules.ts';
import { listTransferred } from '../scopes/scope.views.ts';
import type { Amounts } from './amounts.rules.ts';
import { DayColumns } from './day-columns.rules.ts';
import { isBeyondLimit } from './overage.rules.ts';
import { readOverage } from './overage.service.ts';
import {
  findCycleCandidate,
  findCycleCrossings,
  findDayCrossings,
  minUsageOf,
  needsFirst,
  type Window,
} from './periods.rules.ts';
import {
  type CrossedPiece,
  createChunkedReplayer,
  firingOf,
  type ReplayedFiring,
  type Replayer,
  type ReplayResult,
  simsPerChunk,
} from './replay-results.rules.ts';
import type { ListSimDays } from './sim-days.ts';

export interface UsageReplay {
  orgId: number;
  trigger: UsageRule['trigger'];
  window: Window;
}

/** For fewer SIMs, the rows of their days are read; for more, the packed days of all SIMs. */
const defaultRowReadLimit = 10_000;
/** Maximum number of SIM days in memory; each takes about five bytes. */
const defaultMaxSimDays = 30_000_000;

export interface UsageReplayOptions {
  pool: pg.Pool;
  listSimDays: ListSimDays;
  /** For fewer SIMs than this, days are read from their rows. */
  rowReadLimit?: number;
  /** Maximum number of SIM days in memory. */
  maxSimDays?: number;
}

/** Evaluates usage rules by stored data: by whole days, and by records for partial days. */
export const usageReplayer = (options: UsageReplayOptions, replay: UsageReplay): Replayer => {
  const { pool, rowReadLimit = defaultRowReadLimit, maxSimDays = defaultMaxSimDays } = options;
  const { trigger, window } = replay;
  if (trigger.kind === 'first-use')
    return createChunkedReplayer((sims) => inSnapshot(pool, (sql) => evaluateFirstUses(sql, sims, replay)));
  const rowReplayer = createChunkedReplayer((sims) =>
    inSnapshot(pool, (sql) =>
      evaluateWith(sql, sims, replay, (of, asked) => readDays(sql, of, replay, asked)),
    ),
  );
  const simsInMemory = Math.max(1, Math.floor(maxSimDays / window.names.length));
  return {
    evaluate: async (sims, report) => {
      if (sims.length < rowReadLimit) return rowReplayer.evaluate(sims, report);
      for (const chunk of inChunks(sims, simsInMemory)) {
        const shouldContinue = await inSnapshot(pool, (sql) =>
          evaluateByColumns(sql, chunk, options, replay, report),
        );
        if (!shouldContinue) return false;
      }
      return true;
    },
  };
};

/** Days of the wanted SIMs, omitting days with too little usage. */
type ReadDays = (
  sims: readonly number[],
  asked: { wanted: readonly number[]; least: number },
) => Promise<PastDays[]>;

const evaluateWith = (sql: Sql, sims: readonly number[], replay: UsageReplay, read: ReadDays) =>
  replay.trigger.kind === 'data-usage' && replay.trigger.period === 'cycle'
    ? evaluateCycles(sql, sims, replay, read)
    : evaluateDays(sql, sims, replay, read);

/** Reads the days of all SIMs first, because counters and records must be from the same snapshot. */
const evaluateByColumns = async (
  sql: Sql,
  sims: readonly number[],
  { listSimDays }: UsageReplayOptions,
  replay: UsageReplay,
  report: Parameters<Replayer['evaluate']>[1],
): Promise<boolean> => {
  const { orgId, window } = replay;
  const columns = new DayColumns(sims, { days: window.names.length, minBytes: minDailyUsage(replay) });
  const begins = window.span.startsAt - window.lead * dayMs;
  const from = new Date(begins);
  for await (const { at, each } of listSimDays(sql, { orgId, from, to: new Date(window.closesAt) })) {
    const dayIndex = (at.getTime() - begins) / dayMs;
    const records = columns.add(dayIndex, each);
    const step = { sims: 0, records: dayIndex < window.lead ? 0 : records, results: new Map() };
    if (!(await report(step))) return false;
  }
  for (const chunk of inChunks(sims, simsPerChunk)) {
    const step = await evaluateWith(sql, chunk, replay, async (_, { wanted }) => {
      const included = new Set(wanted);
      return columns.next(chunk.length, (sim) => included.has(sim));
    });
    if (!(await report({ sims: chunk.length, ...step }))) return false;
  }
  return true;
};

const readDays = async (
  sql: Sql,
  sims: readonly number[],
  { orgId, window }: UsageReplay,
  { wanted, least }: { wanted: readonly number[]; least: number },
): Promise<PastDays[]> => {
  const moved = await listTransferred(sql, sims);
  return listPastDays(sql, {
    orgId,
    sims: {
      neverTransferred: sims.filter((id) => !moved.has(id)),
      transferred: sims.filter((id) => moved.has(id)),
    },
    simIdsWithDays: wanted,
    from: window.names[0] ?? '',
    days: window.names.length,
    countedFrom: window.names[window.lead] ?? '',
    minBytes: least,
  });
};

/** The minimum usage of a day to matter. */
const minDailyUsage = ({ trigger }: UsageReplay): number =>
  trigger.kind === 'data-usage' && trigger.period === 'day' ? minUsageOf({ trigger }) : 0;

const evaluateDays = async (sql: Sql, sims: readonly number[], replay: UsageReplay, read: ReadDays) => {
  const { orgId, trigger, window } = replay;
  const isByLimit = trigger.kind === 'data-usage' && trigger.threshold.unit === '%';
  const days = await read(sims, { wanted: sims, least: minDailyUsage(replay) });
  const cycles = isByLimit
    ? bySim(await listPastCycles(sql, { orgId, simIds: sims, after: window.span.startsAt, threshold: null }))
    : new Map<number, PastCycle[]>();
  const results = new Map<number, ReplayResult[]>();
  let records = 0;
  for (const { simId, bytes, records: own } of days) {
    records += own;
    const crossed = findDayCrossings({ trigger }, { simId, bytes, cycles: cycles.get(simId) ?? [] }, window);
    if (crossed.length > 0)
      results.set(
        simId,
        crossed.map((one) => toResult(one, window)),
      );
  }
  return { records, results };
};

const evaluateCycles = async (sql: Sql, sims: readonly number[], replay: UsageReplay, read: ReadDays) => {
  const { orgId, trigger, window } = replay;
  const isByLimit = trigger.kind === 'data-usage' && trigger.threshold.unit === '%';
  const least = isByLimit ? { percent: trigger.threshold.amount } : { bytes: minUsageOf({ trigger }) };
  const after = window.span.startsAt;
  const cycles = bySim(await listPastCycles(sql, { orgId, simIds: sims, after, threshold: least }));
  const days = await read(sims, { wanted: [...cycles.keys()], least: 0 });
  const candidates = days.flatMap(({ simId, bytes }) =>
    distinct(cycles.get(simId) ?? []).flatMap(
      (cycle) => findCycleCandidate({ trigger }, { cycle, bytes }, window) ?? [],
    ),
  );
  const ofLast = candidates.flatMap((candidate) =>
    candidate.last ? [{ candidate, cut: candidate.last }] : [],
  );
  const lasts = await sumPastRecords(sql, {
    orgId,
    spans: ofLast.map(({ candidate, cut }) => ({ simId: candidate.cycle.simId, ...cut })),
  });
  for (const [index, { candidate }] of ofLast.entries())
    candidate.pieces[candidate.pieces.length - 1] = lasts[index] ?? 0;
  const ofFirst = candidates.flatMap((candidate) =>
    candidate.first && needsFirst(candidate) ? [{ candidate, cut: candidate.first }] : [],
  );
  const firsts = await sumPastRecords(sql, {
    orgId,
    spans: ofFirst.map(({ candidate, cut }) => ({ simId: candidate.cycle.simId, ...cut })),
  });
  for (const [index, { candidate }] of ofFirst.entries()) candidate.pieces[0] = firsts[index] ?? 0;
  const results = new Map<number, ReplayResult[]>();
  const overLimit: { cycle: PastCycle; crossed: CrossedPiece }[] = [];
  for (const candidate of candidates) {
    const { cycle } = candidate;
    for (const crossed of findCycleCrossings(candidate, window)) {
      results.set(cycle.simId, [...(results.get(cycle.simId) ?? []), toResult(crossed, window)]);
      if (isBeyondLimit(cycle)) overLimit.push({ cycle, crossed });
    }
  }
  return {
    records: days.reduce((sum, { records }) => sum + records, 0),
    results,
    overage: await readOverageAfter(sql, replay, overLimit),
  };
};

const readOverageAfter = async (
  sql: Sql,
  { orgId, trigger }: UsageReplay,
  overLimit: readonly { cycle: PastCycle; crossed: CrossedPiece }[],
): Promise<Amounts> => {
  const firings = await resolveEach(
    sql,
    { orgId, trigger },
    overLimit.map(({ crossed }) => crossed),
  );
  const over = overLimit.flatMap(({ cycle }, index) => {
    const firing = firings[index];
    return firing ? [{ cycle, firing }] : [];
  });
  return readOverage(sql, { orgId, over });
};

const evaluateFirstUses = async (
  sql: Sql,
  sims: readonly number[],
  { orgId, trigger, window }: UsageReplay,
) => {
  const uses = await listFirstUses(sql, { orgId, simIds: sims, from: window.span.startsAt });
  const results = new Map<number, ReplayResult[]>();
  for (const { simId, activatedAt, at, bytes } of uses) {
    if (bytes === 0 || at >= window.closesAt) continue;
    const span = { startsAt: activatedAt, endsAt: window.closesAt };
    const firing = { simId, at, measured: measuredOf({ trigger }, { span, total: bytes, threshold: 1 }) };
    results.set(simId, [{ dayIndex: dayIndexOf(at, window), firing }]);
  }
  return { records: uses.length, results };
};

const dayIndexOf = (at: number, { span }: Window): number => Math.floor((at - span.startsAt) / dayMs);

const toResult = (crossed: CrossedPiece, window: Window): ReplayResult => ({
  dayIndex: dayIndexOf(crossed.piece.from, window),
  crossed,
});

const bySim = (cycles: readonly PastCycle[]): Map<number, PastCycle[]> =>
  groupBy(cycles, ({ simId }) => simId);

/** A cycle that was closed and reopened counts as the running one. */
const distinct = (cycles: readonly PastCycle[]): PastCycle[] =>
  cycles.filter(({ startsAt }, index) => cycles.findIndex((other) => other.startsAt === startsAt) === index);

/** Pieces whose records one statement reads; a piece is at most a day long. */
const piecesPerQuery = 500;

/** Finds by their records when the pieces crossed their thresholds. */
export const resolveCrossings = async (
  pool: pg.Pool,
  replay: Pick<UsageReplay, 'orgId' | 'trigger'>,
  crossings: readonly CrossedPiece[],
): Promise<ReplayedFiring[]> =>
  (await resolveEach(pool, replay, crossings)).flatMap((firing) => firing ?? []);

/** Undefined if no record of the piece did. */
const resolveEach = async (
  sql: Sql,
  { orgId, trigger }: Pick<UsageReplay, 'orgId' | 'trigger'>,
  crossings: readonly CrossedPiece[],
): Promise<(ReplayedFiring | undefined)[]> => {
  const firings: (ReplayedFiring | undefined)[] = [];
  for (let at = 0; at < crossings.length; at += piecesPerQuery) {
    const chunk = crossings.slice(at, at + piecesPerQuery);
    const records = await listPastRecords(sql, { orgId, spans: chunk.map(({ piece }) => piece) });
    for (const [index, crossed] of chunk.entries())
      firings.push(firingOf(trigger, crossed, records[index] ?? { ends: [], bytes: [] }));
  }
  return firings;
};
