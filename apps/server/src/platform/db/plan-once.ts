import type { ClientBase } from 'pg';

/**
 * On this connection, plans of named statements are made once and cached, whatever the values: for batches of
 * uniform size. A cluster can't cache them, because it plans for the nodes that hold the given values.
 */
export const planOnce = async (client: Pick<ClientBase, 'query'>): Promise<void> => {
  await client.query(
    `select set_config('plan_cache_mode', case
       when exists (select from pg_extension where extname = 'citus') then 'force_custom_plan' else 'force_generic_plan' end, false)`,
  );
};

/**
 * On a cluster, this connection uses one connection to each node, sequentially. Citus would otherwise open and
 * close more for each statement, at ten times the cost of the batch's work on the node. Has no effect
 * elsewhere.
 */
export const limitNodeConnections = async (client: Pick<ClientBase, 'query'>): Promise<void> => {
  await client.query("select set_config('citus.max_adaptive_executor_pool_size', '1', false)");
};
