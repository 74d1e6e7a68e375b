import type { ResetCycle } from '@simcube/contract/bundle';
import type { PoolSpec } from '@simcube/contract/pool';
import type pg from 'pg';
import { expect } from 'vitest';
import { operatorActor } from '../modules/audit/index.ts';
import { createBundle } from '../modules/bundle/index.ts';
import { orderBundle } from '../modules/bundle/lifecycle/ordering.service.ts';
import { changeLimit, pooledUsage, setPool } from '../modules/pool/index.ts';
import { enrolSims } from '../modules/pool/membership/membership.service.ts';
import { findPoolByName } from '../modules/pool/pool.queries.ts';
import { inTransaction } from '../platform/db/index.ts';
import { bundleOf } from './bundles.ts';

/** A bundle whose SIMs share a pool, to which each contributes this many octets a cycle. */
export const sharedBundle = (code: string, quotaBytes = 1000, resetCycle: ResetCycle = 'month') =>
  bundleOf({
    code,
    type: 'postpaid shared',
    quota_bytes: quotaBytes,
    overage_policy: 'billing',
    reset_cycle: resetCycle,
    duration_days: null,
  });

export interface TestPool {
  id: number;
  spec: PoolSpec;
  raise: (bytes: number, now: Date) => Promise<{ before: number; after: number }>;
  enrol: (simIds: readonly number[], now: Date) => Promise<void>;
}

/** A pool of an organisation on a separate bundle, with defaults for what is not given. */
export const makePool = async (
  pool: pg.Pool,
  orgId: number,
  options: { now: Date; quotaBytes?: number; resetCycle?: ResetCycle } & Partial<PoolSpec>,
): Promise<TestPool> => {
  const { now, quotaBytes, resetCycle, ...own } = options;
  const { rows } = await pool.query<{ code: string }>('select code from organisations where id = $1', [
    orgId,
  ]);
  const bundle = own.bundle ?? `SHARED-${orgId}`;
  await createBundle(pool, sharedBundle(bundle, quotaBytes, resetCycle));
  const spec: PoolSpec = {
    organisation: rows[0]?.code ?? '',
    name: 'Trucks',
    policy: 'stop overage SIMs',
    opt_in: 'manual',
    activation_rule: 'standard',
    ...own,
    bundle,
  };
  const change = (at: Date) => ({ actor: operatorActor(), at });
  await inTransaction(pool, (tx) => setPool(tx, spec, change(now)));
  const id = (await findPoolByName(pool, spec))?.id ?? 0;
  return {
    id,
    spec,
    raise: (bytes, at) =>
      inTransaction(pool, (tx) => changeLimit(tx, { ...spec, bytes, everyCycle: false }, change(at))),
    enrol: (simIds, at) =>
      inTransaction(pool, (tx) =>
        enrolSims(tx, {
          poolId: id,
          sims: simIds.map((simId) => ({ simId, enrolledAt: at })),
          now: at,
        }),
      ),
  };
};

/** Gives SIMs an order of the pool's bundle. */
export const orderShared = async (
  pool: pg.Pool,
  { spec }: Pick<TestPool, 'spec'>,
  iccids: readonly string[],
  now: Date,
): Promise<void> => {
  const { refused } = await inTransaction(pool, (tx) =>
    orderBundle(tx, { iccids, bundleCode: spec.bundle, count: 1, now }),
  );
  expect(refused).toEqual([]);
};

/** Expects counters, members and hours of every pool to agree with the CDRs. */
export const expectPoolsVerified = async (pool: pg.Pool, now = new Date()): Promise<void> => {
  const cycles = await pooledUsage.listCycles(pool, { from: new Date(0), until: now });
  const differences = await Promise.all(cycles.map((cycle) => pooledUsage.compare(pool, cycle)));
  expect(differences.flat()).toEqual([]);
  expect(differences).not.toEqual([]);
};
