import type { ClientBase } from 'pg';

/**
 * On this connection, plans of named statements are made once and kept, whatever the values: for batches that are all alike.
 * A cluster can't keep them, as it plans for the nodes that have what the values name.
 */
export const planOnce = async (client: Pick<ClientBase, 'query'>): Promise<void> => {
  await client.query(
    `select set_config('plan_cache_mode', case
       when exists (select from pg_extension where extname = 'citus') then 'force_custom_plan' else 'force_generic_plan' end, false)`,
  );
};

/**
 * On a cluster, what is asked of a node on this connection is asked over one connection to it, one after the other: more of them,
 * which the extension opens for each statement and closes behind it, cost a batch ten times what it does there. Elsewhere it means
 * nothing.
 */
export const askNodesOnce = async (client: Pick<ClientBase, 'query'>): Promise<void> => {
  await client.query("select set_config('citus.max_adaptive_executor_pool_size', '1', false)");
};
