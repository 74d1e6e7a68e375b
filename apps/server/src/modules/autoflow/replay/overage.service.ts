import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { readCycleUsage } from '../../pool/index.ts';
import {
  type CycleFacts,
  chargesOf,
  chargesZones,
  findBundlePrices,
  findVersions,
  type TariffVersion,
} from '../../price/index.ts';
import { type Amounts, addAmounts } from './amounts.rules.ts';
import type { OverLimitCycle } from './overage.rules.ts';
import { type ChargedCycle, listChargedCycles } from './overage.views.ts';

/** Zero in the currency in which the organisation is currently charged; empty if it has no tariff. */
export const noOverage = async (sql: Sql, { orgId, now }: { orgId: number; now: Date }): Promise<Amounts> => {
  const [version] = (await findVersions(sql, { orgId, days: [dashboardDays.dayOf(now)] })).values();
  return version ? { [version.currency]: 0 } : {};
};

/** Charges for usage beyond the quota after the records that would have made a rule fire. */
export const readOverage = async (
  sql: Sql,
  { orgId, over }: { orgId: number; over: readonly OverLimitCycle[] },
): Promise<Amounts> => {
  if (over.length === 0) return {};
  const cycles = await listChargedCycles(sql, { orgId, cycles: over.map(({ cycle }) => cycle) });
  const versions = await findVersions(sql, { orgId, days: cycles.map(dayOf) });
  const charged = cycles.flatMap((row) => {
    const version = versions.get(dayOf(row));
    return version ? [{ row, version }] : [];
  });
  const pricesOf = await findBundlePrices(
    sql,
    charged.map(({ version }) => version.id),
  );
  const byKey = new Map(over.map((one) => [keyOf(one.cycle.simId, one.cycle.startsAt), one]));
  const crossed = charged.flatMap(({ row, version }) => {
    const one = byKey.get(keyOf(row.sim_id, row.cycle_started_at.getTime()));
    if (!one) return [];
    // The end of the usage read is exclusive.
    const afterFiring = { ...row, cycle_ends_at: new Date(Math.floor(one.firing.at) + 1) };
    return [{ row, afterFiring, version, ...one }];
  });
  const usageOf = await readCycleUsage(
    sql,
    orgId,
    crossed.flatMap(({ row, afterFiring, version }) => {
      const zoned = chargesZones(version, row);
      return [
        { row, zoned },
        { row: afterFiring, zoned },
      ];
    }),
  );
  return crossed.reduce<Amounts>((sum, { row, afterFiring, version, cycle, firing }) => {
    const facts = (at: ChargedCycle, used: number): CycleFacts => ({
      bundle: row,
      prices: pricesOf(version.id, row.bundle_id),
      usedBytes: BigInt(used),
      limitBytes: cycle.limit === null ? null : BigInt(cycle.limit),
      ownsCycleStart: false,
      activations: [],
      ...usageOf(at),
    });
    const total = overQuota(version, facts(row, cycle.used));
    return addAmounts(sum, {
      [version.currency]: total - overQuota(version, facts(afterFiring, Number(firing.measured.value))),
    });
  }, {});
};

const dayOf = (row: ChargedCycle): string => dashboardDays.dayOf(row.cycle_started_at);
const keyOf = (simId: number, startsAt: number): string => `${simId} ${startsAt}`;

const overQuota = (version: TariffVersion, facts: CycleFacts): number =>
  chargesOf(version, facts).find(({ kind }) => kind === 'over-quota')?.amount_minor ?? 0;
