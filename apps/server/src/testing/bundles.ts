import { type BundleSpec, bundleSpecSchema } from '@simcube/contract/bundle';
import type { Lifecycle } from '@simcube/contract/sim';
import type { z } from 'zod';
import { createBundle } from '../modules/bundle/index.ts';
import { orderBundle } from '../modules/bundle/lifecycle/ordering.service.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { makeSim } from './inventory.ts';

const plain = {
  sku: 'SKU',
  type: 'prepaid basic',
  quota_bytes: 1000,
  overage_policy: 'stop',
  reset_cycle: '24h day',
  duration_days: 30,
} as const;

/** By default a bundle of 1,000 octets a day that runs for 30 days. */
export const bundleOf = (
  own: Pick<BundleSpec, 'code'> & Partial<z.input<typeof bundleSpecSchema>>,
): BundleSpec => bundleSpecSchema.parse({ ...plain, name: `${own.code} bundle`, ...own });

export interface TestSim {
  id: number;
  iccid: string;
  imsi: string;
}

/** An organisation whose SIMs get bundles, and queries about them. */
export const testBundles = async (
  { pool }: Pick<Database, 'pool'>,
  specs: readonly BundleSpec[],
  code = 'acme',
) => {
  const org = await pool.query<{ id: number }>(
    `insert into organisations (code, name, country) values ($1, $1 || ' Mobility', 'DE') returning id`,
    [code],
  );
  const orgId = org.rows[0]?.id ?? 0;
  for (const spec of specs) await createBundle(pool, spec);
  return {
    orgId,
    sim: async (lifecycle: Lifecycle, more: { periodEndsAt?: string } = {}): Promise<TestSim> => {
      const sim = await makeSim(pool, orgId, { lifecycle });
      await pool.query('update sims set pre_activation_ends_at = $2 where id = $1', [
        sim.id,
        more.periodEndsAt,
      ]);
      return sim;
    },
    order: (
      sims: readonly TestSim[],
      bundleCode: string,
      now: Date,
      more: { count?: number; salesOrderId?: string } = {},
    ) =>
      inTransaction(pool, (tx) =>
        orderBundle(tx, { iccids: sims.map(({ iccid }) => iccid), bundleCode, count: 1, now, ...more }),
      ),
    /** A SIM's state: lifecycle, bundle, end and counter. */
    state: async ({ id }: Pick<TestSim, 'id'>) =>
      (
        await pool.query(
          `select s.lifecycle, s.lifecycle_changed_at, s.activated_at, s.expires_at, b.code as bundle, l.used_bytes,
             l.limit_bytes, l.extra_bytes, l.threshold_bytes, l.over_limit, l.data_state, l.cycle_started_at,
             l.cycle_ends_at
           from sims s join sim_live l on l.sim_id = s.id left join bundles b on b.id = s.bundle_id where s.id = $1`,
          [id],
        )
      ).rows[0],
    orders: async ({ id }: Pick<TestSim, 'id'>) =>
      (
        await pool.query(
          `select b.code, o.status, o.activated_at, o.expires_at, o.used_bytes from bundle_orders o
           join bundles b on b.id = o.bundle_id where o.sim_id = $1 order by o.id`,
          [id],
        )
      ).rows,
    /** Events of a SIM in chronological order: kind, new state or bundle, reason. */
    events: async ({ id }: Pick<TestSim, 'id'>): Promise<string[]> =>
      (
        await pool.query<{ text: string }>(
          `select concat_ws(' ', to_char(at at time zone 'UTC', 'MM-DD'), kind, facts->>'to', facts->>'bundle',
             facts->>'reason') as text from sim_events where sim_id = $1 order by at, id`,
          [id],
        )
      ).rows.map(({ text }) => text),
    /** SIMs by lifecycle, as counted and as in the organisation's counts. */
    counts: async () =>
      (
        await pool.query(
          `select (select json_object_agg(lifecycle, n) from (select lifecycle, count(*) n from sims where org_id = $1 group by 1) s) as counted,
             (select json_object_agg(lifecycle, sims) from org_sim_counts where org_id = $1 and sims <> 0) as stored`,
          [orgId],
        )
      ).rows[0],
  };
};
