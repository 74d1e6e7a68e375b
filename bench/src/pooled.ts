import { shards } from '../../apps/server/src/modules/pool/cycles/counting.queries.ts';
import { type AccountingServer, bytesPerSession, expectFigures, openProduct } from './accounting-rounds.ts';
import { type Cluster, withClient } from './cluster.ts';
import { type Fleet, orgCode } from './fleet.ts';
import { simcube } from './product.ts';
import type { Run } from './run.ts';

interface PoolOptions {
  /** Prepares the installation in addition to the pool. */
  prepare?: (own: Fleet) => Promise<void>;
  /** Whether another process runs the jobs. */
  worker?: boolean;
}

/** Far more than a SIM uses, and a limit of all SIMs that is within the product's maximum of 2^53 - 1. */
const quotaBytes = 10 * 1024 ** 3;

/**
 * The product with all SIMs in one shared pool that is never used up; checks that the pool has counted every octet once, and
 * that its counters were armed throughout.
 */
export const openWithPool = async (
  cluster: Cluster,
  template: Fleet,
  run: Run,
  { prepare: prepareMore, worker = false }: PoolOptions = {},
): Promise<AccountingServer> => {
  let installation = template;
  const prepare = async (own: Fleet) => {
    installation = own;
    await poolAllSims(own);
    await prepareMore?.(own);
  };
  const server = await openProduct(cluster, template, run, { prepare, worker });
  return {
    ...server,
    verify: async (sessions) => {
      await server.verify(sessions);
      await withClient(installation.databaseUrl, (client) =>
        expectFigures(client, {
          text: `select sum(used_bytes)::float8 as pooled, count(wake_bytes)::float8 as armed,
              count(*) filter (where crossed)::float8 as crossed,
              (select count(*)::float8 from dead_lettered_facts) as dead_lettered
            from pool_counters`,
          expected: { pooled: sessions * bytesPerSession, armed: shards, crossed: 0, dead_lettered: 0 },
        }),
      );
    },
  };
};

const poolAllSims = async (installation: Fleet): Promise<void> => {
  await withClient(installation.databaseUrl, async (client) => {
    await client.query(
      `insert into bundles (code, name, sku, type, quota_bytes, overage_policy, reset_cycle)
       values ('SHARED', 'Shared', 'SHARED', 'postpaid shared', $1, 'billing', 'month')`,
      [quotaBytes],
    );
  });
  simcube(installation, ['pools', 'set', orgCode, 'Everything', '--bundle', 'SHARED']);
  await withClient(installation.databaseUrl, async (client) => {
    await client.query(
      `insert into pool_members (pool_id, sim_id, enrolled_at, activated_at)
       select p.id, s.id, c.started_at, c.started_at from pools p
       join pool_cycles c on c.pool_id = p.id and c.launched_at is not null cross join sims s`,
    );
    await client.query(
      `insert into pool_terms (pool_id, sim_id, kind, bytes, from_at, created_at)
       select pool_id, sim_id, 'standard', $1, enrolled_at, enrolled_at from pool_members`,
      [quotaBytes],
    );
    // As an evaluation leaves them, which is the state that a pool is in nearly always.
    await client.query(
      `insert into pool_counters (pool_id, cycle_started_at, shard, used_bytes, wake_bytes, crossed)
       select c.pool_id, c.started_at, shard, 0, (select sum(bytes) from pool_terms) / $1::integer, false
       from pool_cycles c cross join generate_series(0, $1::integer - 1) as shard where c.launched_at is not null`,
      [shards],
    );
    await client.query('update sim_live set pooled = true');
    await client.query(
      'vacuum (analyze) sim_live, pools, pool_cycles, pool_members, pool_terms, pool_counters',
    );
  });
};
