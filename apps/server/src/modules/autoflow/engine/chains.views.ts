import type { Sql } from '../../../platform/db/index.ts';

/** By SIM: the rules that led to what a task did, in order; empty if no rule ordered the task. */
export const findChains = async (sql: Sql, task: string): Promise<Map<number, number[]>> => {
  const { rows } = await sql.query<{ sim_id: number; chain: number[] }>(
    `select f.sim_id, f.chain || f.rule_id as chain
     from autoflow_firing_actions a join autoflow_firings f on f.id = a.firing_id where a.task = $1`,
    [task],
  );
  return new Map(rows.map(({ sim_id, chain }) => [sim_id, chain.map(Number)]));
};
