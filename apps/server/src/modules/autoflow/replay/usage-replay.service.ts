import type pg from 'pg';
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
import { inParts } from '../engine/parts.rules.ts';
import { measuredOf, type UsageRule } from '../engine/usage.rules.ts';
import { listMoved } from '../scopes/scope.views.ts';
import type { Amounts } from './amounts.rules.ts';
import { DayColumns } from './day-columns.rules.ts';
import {
  type CrossedPiece,
  type Found,
  firingOf,
  inTurns,
  type ReplayedFiring,
  type Replayer,
  simsAtOnce,
} from './found.rules.ts';
import { isBeyondLimit } from './overage.rules.ts';
import { readOverage } from './overage.service.ts';
import { crossedCycle, crossedDays, leastOf, lookAtCycle, needsFirst, type Window } from './periods.rules.ts';
import type { ListSimDays } from './sim-days.ts';

const dayMs = 86_400_000;

export interface UsageReplay {
  orgId: number;
  trigger: UsageRule['trigger'];
  window: Window;
}

/** For fewer SIMs, the rows of their days are read; for more, the packed days of all SIMs. */
const fewSims = 10_000;
/** Maximum number of SIM days in memory; each takes about five bytes. */
const simDaysAtOnce = 30_000_000;

export interface UsageReplayOptions {
  pool: pg.Pool;
  listSimDays: ListSimDays;
  /** For fewer SIMs than this, days are read from their rows. */
  few?: number;
  /** Maximum number of SIM days in memory. */
  held?: number;
}

/** Judges usage rules by stored data: by whole days, and by records for partial days. */
export const usageReplayer = (options: UsageReplayOptions, replay: UsageReplay): Replayer => {
  const { pool, few = fewSims, held = simDaysAtOnce } = options;
  const { trigger, window } = replay;
  if (trigger.kind === 'first-use')
    return inTurns((sims) => inSnapshot(pool, (sql) => judgeFirstUses(sql, sims, replay)));
  const byRows = inTurns((sims) =>
    inSnapshot(pool, (sql) => judgeBy(sql, sims, replay, (of, asked) => readDays(sql, of, replay, asked))),
  );
  const simsAtMost = Math.max(1, Math.floor(held / window.names.length));
  return {
    judge: async (sims, heard) => {
      if (sims.length < few) return byRows.judge(sims, heard);
      for (const band of inParts(sims, simsAtMost)) {
        const goesOn = await inSnapshot(pool, (sql) => judgeByColumns(sql, band, options, replay, heard));
        if (!goesOn) return false;
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

const judgeBy = (sql: Sql, sims: readonly number[], replay: UsageReplay, read: ReadDays) =>
  replay.trigger.kind === 'data-usage' && replay.trigger.period === 'cycle'
    ? judgeCycles(sql, sims, replay, read)
    : judgeDays(sql, sims, replay, read);

/** Reads the days of all SIMs first, because counters and records must be from the same snapshot. */
const judgeByColumns = async (
  sql: Sql,
  sims: readonly number[],
  { listSimDays }: UsageReplayOptions,
  replay: UsageReplay,
  heard: Parameters<Replayer['judge']>[1],
): Promise<boolean> => {
  const { orgId, window } = replay;
  const columns = new DayColumns(sims, { days: window.names.length, least: leastOfDays(replay) });
  const begins = window.span.startsAt - window.lead * dayMs;
  const from = new Date(begins);
  for await (const { at, each } of listSimDays(sql, { orgId, from, to: new Date(window.closesAt) })) {
    const place = (at.getTime() - begins) / dayMs;
    const records = columns.add(place, each);
    const judged = { sims: 0, records: place < window.lead ? 0 : records, found: new Map() };
    if (!(await heard(judged))) return false;
  }
  for (const some of inParts(sims, simsAtOnce)) {
    const judged = await judgeBy(sql, some, replay, async (_, { wanted }) => {
      const those = new Set(wanted);
      return columns.next(some.length, (sim) => those.has(sim));
    });
    if (!(await heard({ sims: some.length, ...judged }))) return false;
  }
  return true;
};

const readDays = async (
  sql: Sql,
  sims: readonly number[],
  { orgId, window }: UsageReplay,
  { wanted, least }: { wanted: readonly number[]; least: number },
): Promise<PastDays[]> => {
  const moved = await listMoved(sql, sims);
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
const leastOfDays = ({ trigger }: UsageReplay): number =>
  trigger.kind === 'data-usage' && trigger.period === 'day' ? leastOf({ trigger }) : 0;

const judgeDays = async (sql: Sql, sims: readonly number[], replay: UsageReplay, read: ReadDays) => {
  const { orgId, trigger, window } = replay;
  const isByLimit = trigger.kind === 'data-usage' && trigger.threshold.unit === '%';
  const days = await read(sims, { wanted: sims, least: leastOfDays(replay) });
  const cycles = isByLimit
    ? bySim(await listPastCycles(sql, { orgId, simIds: sims, after: window.span.startsAt, threshold: null }))
    : new Map<number, PastCycle[]>();
  const found = new Map<number, Found[]>();
  let records = 0;
  for (const { simId, bytes, records: own } of days) {
    records += own;
    const crossed = crossedDays({ trigger }, { simId, bytes, cycles: cycles.get(simId) ?? [] }, window);
    if (crossed.length > 0)
      found.set(
        simId,
        crossed.map((one) => placed(one, window)),
      );
  }
  return { records, found };
};

const judgeCycles = async (sql: Sql, sims: readonly number[], replay: UsageReplay, read: ReadDays) => {
  const { orgId, trigger, window } = replay;
  const isByLimit = trigger.kind === 'data-usage' && trigger.threshold.unit === '%';
  const least = isByLimit ? { percent: trigger.threshold.amount } : { bytes: leastOf({ trigger }) };
  const after = window.span.startsAt;
  const cycles = bySim(await listPastCycles(sql, { orgId, simIds: sims, after, threshold: least }));
  const days = await read(sims, { wanted: [...cycles.keys()], least: 0 });
  const looks = days.flatMap(({ simId, bytes }) =>
    distinct(cycles.get(simId) ?? []).flatMap(
      (cycle) => lookAtCycle({ trigger }, { cycle, bytes }, window) ?? [],
    ),
  );
  const ofLast = looks.flatMap((look) => (look.last ? [{ look, cut: look.last }] : []));
  const lasts = await sumPastRecords(sql, {
    orgId,
    spans: ofLast.map(({ look, cut }) => ({ simId: look.cycle.simId, ...cut })),
  });
  for (const [index, { look }] of ofLast.entries()) look.pieces[look.pieces.length - 1] = lasts[index] ?? 0;
  const ofFirst = looks.flatMap((look) =>
    look.first && needsFirst(look) ? [{ look, cut: look.first }] : [],
  );
  const firsts = await sumPastRecords(sql, {
    orgId,
    spans: ofFirst.map(({ look, cut }) => ({ simId: look.cycle.simId, ...cut })),
  });
  for (const [index, { look }] of ofFirst.entries()) look.pieces[0] = firsts[index] ?? 0;
  const found = new Map<number, Found[]>();
  const beyond: { cycle: PastCycle; crossed: CrossedPiece }[] = [];
  for (const look of looks) {
    const { cycle } = look;
    for (const crossed of crossedCycle(look, window)) {
      found.set(cycle.simId, [...(found.get(cycle.simId) ?? []), placed(crossed, window)]);
      if (isBeyondLimit(cycle)) beyond.push({ cycle, crossed });
    }
  }
  return {
    records: days.reduce((sum, { records }) => sum + records, 0),
    found,
    overage: await overageAfter(sql, replay, beyond),
  };
};

const overageAfter = async (
  sql: Sql,
  { orgId, trigger }: UsageReplay,
  beyond: readonly { cycle: PastCycle; crossed: CrossedPiece }[],
): Promise<Amounts> => {
  const firings = await resolve(
    sql,
    { orgId, trigger },
    beyond.map(({ crossed }) => crossed),
  );
  const over = beyond.flatMap(({ cycle }, index) => {
    const firing = firings[index];
    return firing ? [{ cycle, firing }] : [];
  });
  return readOverage(sql, { orgId, over });
};

const judgeFirstUses = async (sql: Sql, sims: readonly number[], { orgId, trigger, window }: UsageReplay) => {
  const uses = await listFirstUses(sql, { orgId, simIds: sims, from: window.span.startsAt });
  const found = new Map<number, Found[]>();
  for (const { simId, activatedAt, at, bytes } of uses) {
    if (bytes === 0 || at >= window.closesAt) continue;
    const span = { startsAt: activatedAt, endsAt: window.closesAt };
    const firing = { simId, at, measured: measuredOf({ trigger }, { span, total: bytes, threshold: 1 }) };
    found.set(simId, [{ place: placeOf(at, window), firing }]);
  }
  return { records: uses.length, found };
};

const placeOf = (at: number, { span }: Window): number => Math.floor((at - span.startsAt) / dayMs);

const placed = (crossed: CrossedPiece, window: Window): Found => ({
  place: placeOf(crossed.piece.from, window),
  crossed,
});

const bySim = (cycles: readonly PastCycle[]): Map<number, PastCycle[]> => {
  const grouped = new Map<number, PastCycle[]>();
  for (const cycle of cycles) grouped.set(cycle.simId, [...(grouped.get(cycle.simId) ?? []), cycle]);
  return grouped;
};

/** A cycle that was closed and reopened counts as the running one. */
const distinct = (cycles: readonly PastCycle[]): PastCycle[] =>
  cycles.filter(({ startsAt }, place) => cycles.findIndex((other) => other.startsAt === startsAt) === place);

/** Pieces whose records one statement reads; a piece is at most a day long. */
const piecesAtOnce = 500;

/** Finds by their records when the pieces crossed their thresholds. */
export const resolveFound = async (
  pool: pg.Pool,
  replay: Pick<UsageReplay, 'orgId' | 'trigger'>,
  found: readonly CrossedPiece[],
): Promise<ReplayedFiring[]> => (await resolve(pool, replay, found)).flatMap((firing) => firing ?? []);

/** Undefined if no record of the piece did. */
const resolve = async (
  sql: Sql,
  { orgId, trigger }: Pick<UsageReplay, 'orgId' | 'trigger'>,
  found: readonly CrossedPiece[],
): Promise<(ReplayedFiring | undefined)[]> => {
  const firings: (ReplayedFiring | undefined)[] = [];
  for (let at = 0; at < found.length; at += piecesAtOnce) {
    const some = found.slice(at, at + piecesAtOnce);
    const records = await listPastRecords(sql, { orgId, spans: some.map(({ piece }) => piece) });
    for (const [index, crossed] of some.entries())
      firings.push(firingOf(trigger, crossed, records[index] ?? { ends: [], bytes: [] }));
  }
  return firings;
};
