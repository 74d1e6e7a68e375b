import type { BundleType } from '@simcube/contract/bundle';
import { lifecycleNumbers } from '@simcube/contract/sim';
import { int8Column, type Sql, textColumn, timestampColumn } from '../../../platform/db/index.ts';
import { recordSimEvents, reportSimEvents, simEvent, simsBy } from '../../sim/index.ts';

/*
 * Due SIMs are found and locked by one statement: rows locked by another worker are skipped, so that two
 * workers share the work and nothing is done twice. What is to be done is read after the lock.
 */

interface DueQuery {
  now: Date;
  limit: number;
}

export interface DueSim {
  simId: number;
  at: Date;
}

/** Pre-activated SIMs whose period has ended. */
export const lockEndedPeriods = async (tx: Sql, { now, limit }: DueQuery): Promise<DueSim[]> =>
  (
    await tx.query<DueSim>(
      `select id as "simId", pre_activation_ends_at as at from sims
       where lifecycle = ${lifecycleNumbers['pre-activated']} and not pre_activation_over
         and pre_activation_ends_at <= $1
       order by pre_activation_ends_at limit $2 for no key update skip locked`,
      [now, limit],
    )
  ).rows;

/** The period is over and there is nothing to start: recorded once, with an event; the next order activates the SIM. */
export const markPeriodsOver = async (tx: Sql, sims: readonly DueSim[], now: Date): Promise<void> => {
  if (sims.length === 0) return;
  const { rows } = await tx.query<DueSim & { orgId: number; iccid: string }>(
    `update sims s set pre_activation_over = true from unnest($1::bigint[], $2::timestamptz[]) as v (sim_id, at)
     where s.id = v.sim_id returning s.id as "simId", s.org_id as "orgId", s.iccid, v.at`,
    [int8Column(sims, ({ simId }) => simId), timestampColumn(sims, ({ at }) => at.getTime())],
  );
  const content = simEvent('pre-activation-ended', { reason: 'no-bundle' });
  await recordSimEvents(
    tx,
    rows.map(({ simId, orgId, at }) => ({ simId, orgId, at, ...content })),
  );
  await reportSimEvents(
    tx,
    rows.map(({ orgId, iccid }) => ({ orgId, iccid, kind: content.kind })),
    now,
  );
};

/** SIMs with an order in use that has ended, the longest ended first. */
export const lockEndedOrders = async (tx: Sql, { now, limit }: DueQuery): Promise<number[]> => {
  const { rows } = await tx.query<{ id: number }>(
    `select s.id from bundle_orders o join sims s on s.id = o.sim_id
     where o.status = 'in use' and o.expires_at <= $1 order by o.expires_at limit $2 for no key update of s skip locked`,
    [now, limit],
  );
  return [...new Set(rows.map(({ id }) => id))].sort((a, b) => a - b);
};

/** Expired SIMs whose grace period is over: that of their organisation, else the default. */
export const lockEndedGraces = async (
  tx: Sql,
  { now, limit, graceDays }: DueQuery & { graceDays: number },
): Promise<DueSim[]> =>
  (
    await tx.query<DueSim>(
      `select s.id as "simId", s.lifecycle_changed_at + make_interval(days => coalesce(o.grace_days, $3)) as at
       from sims s join organisations o on o.id = s.org_id
       where s.lifecycle = ${lifecycleNumbers.expired}
         -- The shortest grace of all bounds what has to be looked at.
         and s.lifecycle_changed_at <= $1::timestamptz
           - make_interval(days => (select least($3, coalesce(min(grace_days), $3)) from organisations))
         and s.lifecycle_changed_at + make_interval(days => coalesce(o.grace_days, $3)) <= $1
       order by s.lifecycle_changed_at limit $2 for no key update of s skip locked`,
      [now, limit, graceDays],
    )
  ).rows;

export interface SimFacts {
  simId: number;
  lifecycle: number;
  activationDue: boolean;
}

/** The facts of SIMs that their orders depend on. The caller has locked the SIMs. */
export const listSimFacts = async (tx: Sql, simIds: readonly number[]): Promise<SimFacts[]> =>
  (
    await tx.query<SimFacts>(
      `select s.id as "simId", s.lifecycle,
         s.pre_activation_over or (l.over_limit and b.type = 'test plan') is true
           -- A pre-activated SIM's cycles with a quota are those of test plans.
           or (s.lifecycle = ${lifecycleNumbers['pre-activated']} and (
             select bool_or(used_bytes >= limit_bytes) from usage_cycles c where c.sim_id = s.id)) is true as "activationDue"
       from sims s join sim_live l on l.sim_id = s.id left join bundles b on b.id = s.bundle_id
       where s.id = any($1::bigint[]) order by s.id`,
      [simIds],
    )
  ).rows;

/** SIMs by their ICCIDs; unknown ones are left out. */
export const findSims = async (
  tx: Sql,
  iccids: readonly string[],
): Promise<{ simId: number; iccid: string; lifecycle: number }[]> =>
  (
    await tx.query(
      `select s.id as "simId", s.iccid, s.lifecycle from ${simsBy('iccid')} i join sims s on s.id = i.sim_id
       where i.value = any($1::text[]) order by s.id`,
      [textColumn(iccids, (iccid) => iccid)],
    )
  ).rows;

export const findBundleType = async (tx: Sql, code: string): Promise<BundleType | undefined> =>
  (await tx.query<{ type: BundleType }>('select type from bundles where code = $1', [code])).rows[0]?.type;

/** The number of orders of the bundle that the SIMs have under a sales order, whatever their state. */
export const countOrdered = async (
  tx: Sql,
  {
    simIds,
    bundleCode,
    salesOrderId,
  }: { simIds: readonly number[]; bundleCode: string; salesOrderId: string },
): Promise<Map<number, number>> => {
  const { rows } = await tx.query<{ sim_id: number; count: number }>(
    `select o.sim_id, count(*)::int as count from bundle_orders o join bundles b on b.id = o.bundle_id
     where o.sim_id = any($1::bigint[]) and b.code = $2 and o.sales_order_id = $3 group by 1`,
    [int8Column(simIds, (simId) => simId), bundleCode, salesOrderId],
  );
  return new Map(rows.map(({ sim_id, count }) => [sim_id, count]));
};

/** Ends orders in use at the instant. */
export const endOrdersAt = async (tx: Sql, simIds: readonly number[], at: Date): Promise<void> => {
  await tx.query(
    `update bundle_orders set expires_at = $2
     where sim_id = any($1::bigint[]) and status = 'in use' and (expires_at is null or expires_at > $2)`,
    [simIds, at],
  );
};

/** By SIM: whether an order is in use. */
export const findWithOrderInUse = async (
  sql: Sql,
  simIds: readonly number[],
): Promise<Map<number, boolean>> => {
  const { rows } = await sql.query<{ sim_id: number }>(
    `select distinct sim_id from bundle_orders where sim_id = any($1::bigint[]) and status = 'in use'`,
    [simIds],
  );
  return new Map(rows.map(({ sim_id }) => [sim_id, true]));
};
