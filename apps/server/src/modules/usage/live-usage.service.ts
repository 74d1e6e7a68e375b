import { groupBy } from '../../platform/collections/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { emitMany } from '../../platform/outbox/index.ts';
import { addToCycles, findClosedCycles, writeCounters } from '../bundle/index.ts';
import { recordSimEvents, simEvent } from '../sim/index.ts';
import { findCycleRules, lockLiveUsage } from './live-usage.queries.ts';
import {
  allocateUsage,
  gapsOf,
  type LiveUsage,
  restateUsage,
  type UsageAllocation,
} from './live-usage.rules.ts';
import { usageReopened, usageThresholdCrossed } from './usage.events.ts';
import { type CycleUsage, elapsedSpans } from './usage.rules.ts';

/**
 * Adds usage by cycle to the counters of many SIMs, in the caller's transaction: turns cycles, archives closed ones,
 * checks thresholds, and records facts for both.
 * @returns the counters as they were when they were locked; they stay locked until the transaction ends
 */
export const addLiveUsage = async (
  tx: Sql,
  usage: readonly CycleUsage[],
  now: Date,
): Promise<readonly LiveUsage[]> => {
  if (usage.length === 0) return [];
  const bySim = groupBy(usage, ({ simId }) => simId);
  const rows = await lockLiveUsage(tx, [...bySim.keys()]);
  const known = await findClosedCycles(
    tx,
    usage.flatMap(({ simId, before }) => (before === undefined ? [] : [{ simId, at: before }])),
  );
  const allocations = rows.map((row) => {
    const parts = bySim.get(row.simId) ?? [];
    return allocateUsage(
      row,
      parts.sort((a, b) => a.endsAt - b.endsAt),
      known.get(row.simId),
    );
  });
  // Past usage leaves the running cycle unchanged; then only closed cycles are written.
  const changed = allocations.filter(({ live }, index) => !isSame(live, rows[index]));
  await writeCounters(
    tx,
    changed.map((row) => row.live),
  );
  const cycles = {
    closed: [...allocations.flatMap(({ closed }) => closed), ...(await elapsedCycles(tx, allocations))],
    late: allocations.flatMap(({ late }) => late),
  };
  for (const statement of addToCycles(cycles)) await tx.query(statement);
  await emitFacts(tx, allocations, now);
  return rows;
};

/** Cycles of bundles that ended without anything being counted in them, as while the server was down. */
const elapsedCycles = async (tx: Sql, allocations: readonly UsageAllocation[]): Promise<CycleUsage[]> => {
  const gaps = allocations.flatMap((allocation) =>
    gapsOf(allocation).map((gap) => ({ ...gap, simId: allocation.live.simId })),
  );
  if (gaps.length === 0) return [];
  const rules = await findCycleRules(
    tx,
    gaps.map(({ simId }) => simId),
  );
  const ruleOf = new Map(rules.map((rule) => [rule.simId, rule]));
  return gaps.flatMap(({ simId, limit, ...gap }) => {
    const { resetCycle = null, activatedAt = null } = ruleOf.get(simId) ?? {};
    const spans = elapsedSpans({ bundle: resetCycle && { resetCycle }, activatedAt }, gap);
    return spans.map((span) => ({ simId, ...span, used: 0, limit }));
  });
};

/** Sets the counters of running cycles, with the same consequences (limits, facts) as if the usage had been counted. */
export const restateLiveUsage = async (
  tx: Sql,
  used: ReadonlyMap<number, number>,
  now: Date,
): Promise<void> => {
  const rows = await lockLiveUsage(tx, [...used.keys()]);
  const allocations = rows.map((row) => restateUsage(row, used.get(row.simId) ?? row.used));
  await writeCounters(
    tx,
    allocations.map(({ live }) => live),
  );
  await emitFacts(tx, allocations, now);
};

const isSame = (live: LiveUsage, before: LiveUsage | undefined): boolean =>
  live.used === before?.used &&
  live.cycleEndsAt === before.cycleEndsAt &&
  live.threshold === before.threshold &&
  live.dataState === before.dataState;

const emitFacts = async (tx: Sql, allocations: readonly UsageAllocation[], now: Date): Promise<void> => {
  const at = now.toISOString();
  const crossings = allocations.flatMap(({ live, crossed }) =>
    crossed === null
      ? []
      : [
          {
            orgId: live.orgId,
            payload: {
              simId: live.simId,
              iccid: live.iccid,
              ...crossed,
              limitBytes: live.limit,
              overLimit: live.overLimit,
              dataState: live.dataState,
              rateKbps: live.rateKbps,
              at,
            },
          },
        ],
  );
  const reopened = allocations.flatMap(({ live, reopened: dataStateBefore }) =>
    dataStateBefore === null
      ? []
      : [{ orgId: live.orgId, payload: { simId: live.simId, iccid: live.iccid, dataStateBefore } }],
  );
  await emitMany(tx, usageThresholdCrossed, crossings);
  await emitMany(tx, usageReopened, reopened);
  await recordSimEvents(
    tx,
    allocations.flatMap(({ live, crossed, wasOver }) =>
      crossed === null || !live.overLimit
        ? []
        : [
            {
              simId: live.simId,
              orgId: live.orgId,
              at: now,
              ...simEvent(wasOver ? 'data-stopped' : 'quota-reached', {
                used_bytes: crossed.usedBytes,
                limit_bytes: live.limit,
                policy: live.policy,
              }),
            },
          ],
    ),
  );
};
