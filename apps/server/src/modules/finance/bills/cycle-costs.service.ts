import type { Amount } from '@simcube/contract/price';
import type pg from 'pg';
import { inSnapshot, type Sql } from '../../../platform/db/index.ts';
import { chargesOf, findVersions, totalOf } from '../../price/index.ts';
import { retainedSince } from '../../usage/index.ts';
import { monthOfEnd } from '../bill.rules.ts';
import { listCycles } from '../charges/cycles.views.ts';
import { isCorrectable } from '../charges/section.rules.ts';
import { dayOf, readActivations, readBilledCycles } from '../charges/section-charges.service.ts';
import { findBilledCosts, findUnbilledMonths } from './cycle-costs.views.ts';

interface PastCycles {
  orgId: number;
  simId: number;
  /** Ended cycles of the SIM that it had when they ended. */
  cycles: readonly { started_at: string; ends_at: string }[];
  maySeeBills: boolean;
  now: Date;
}

interface PastCost {
  cost: Amount;
  /** Computed, because no issued bill contains the cycle yet, the organisation's own or that of the one that pays. */
  provisional: boolean;
}

/**
 * What past cycles of a SIM cost, by the start of the cycle: as billed, for those who may see bills; and until their
 * month is billed, all that they cost by their usage so far, as the running cycle. An organisation that another pays for
 * has no bills: that cost remains.
 */
export const pastCosts = (pool: pg.Pool, query: PastCycles): Promise<ReadonlyMap<string, PastCost>> =>
  inSnapshot(pool, async (tx) => {
    const costs = new Map<string, PastCost>();
    if (query.maySeeBills) {
      for (const [start, cost] of await findBilledCosts(tx, query))
        costs.set(start, { cost, provisional: false });
    }
    for (const [start, cost] of await computeUnbilled(tx, query)) costs.set(start, cost);
    return costs;
  });

const computeUnbilled = async (
  tx: Sql,
  { orgId, simId, cycles, now }: PastCycles,
): Promise<Map<string, PastCost>> => {
  const monthOf = (cycle: { ends_at: string }) => monthOfEnd(new Date(cycle.ends_at));
  const { customerId, months } = await findUnbilledMonths(tx, {
    orgId,
    months: new Set(cycles.map(monthOf)),
    now,
  });
  const unbilled = cycles.filter((cycle) => months.has(monthOf(cycle)));
  const [first] = unbilled.map(({ started_at }) => started_at).toSorted();
  const last = unbilled
    .map(({ ends_at }) => ends_at)
    .toSorted()
    .at(-1);
  if (first === undefined || last === undefined) return new Map();
  const span = { month: monthOfEnd(new Date(last)), from: new Date(first), until: new Date(last) };
  const section = {
    orgId,
    customerId,
    month: span,
    terms: 'post-payment',
    tariffId: null,
    source: 'counters',
  } as const;
  const monthsOf = new Map(unbilled.map((cycle) => [cycle.started_at, months.get(monthOf(cycle))]));
  const own = { simIds: [simId], orgId, month: span };
  const rows = (await listCycles(tx, { ...own, source: 'counters' })).filter(({ cycle_started_at }) =>
    monthsOf.has(cycle_started_at.toISOString()),
  );
  const versions = await findVersions(tx, { orgId, days: rows.map(dayOf) });
  const hoursSince = retainedSince('usage_hourly', now);
  const cycleOf = await readBilledCycles(tx, { section, rows, versions });
  const activated = await readActivations(tx, own);
  return new Map(
    rows.flatMap((row) => {
      const version = versions.get(dayOf(row));
      const start = row.cycle_started_at.toISOString();
      const provisional = monthsOf.get(start)?.isPublished !== true;
      const from = row.former_end ?? row.cycle_started_at;
      const isKnown = provisional || isCorrectable({ bundle: row, pooled: row.pooled, from }, { hoursSince });
      if (!version || !isKnown) return [];
      const { facts, ownsBegin } = cycleOf(row, activated(row));
      const lines = chargesOf(version, { ...facts, ownsCycleStart: ownsBegin });
      const cost = { currency: version.currency, amount_minor: totalOf(lines) };
      return [[start, { cost, provisional }]];
    }),
  );
};
