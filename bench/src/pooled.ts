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

/** The product with all SIMs in one shared pool that is never used up; checks that the pool has counted every octet once. */
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
          text: 'select sum(used_bytes)::float8 as pooled from pool_counters',
          expected: { pooled: sessions * bytesPerSession },
        }),
      );
    },
  };
};

const poolAllSims = async (installation: Fleet): Promise<void> => {
  await withClient(installation.databaseUrl, async (client) => {
    await client.query(
      `insert into bundles (code, name, sku, type, quota_bytes, overage_policy, reset_cycle)
       values ('SHARED', 'Shared', 'SHARED', 'postpaid shared', 1099511627776, 'billing', 'month')`,
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
       select pool_id, sim_id, 'standard', 1099511627776, enrolled_at, enrolled_at from pool_members`,
    );
    await client.query('update sim_live set pooled = true');
    await client.query('vacuum (analyze) sim_live, pools, pool_cycles, pool_members, pool_terms');
  });
};
