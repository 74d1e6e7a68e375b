import type { Sql } from '../../../platform/db/index.ts';

/** Key of `findChains`. */
export const chainKey = (task: string, simId: number): string => `${task} ${simId}`;

/** By task and SIM: the rules that led to what the task did, in order; absent if no rule ordered the task. */
export const findChains = async (
  sql: Sql,
  tasks: readonly string[],
): Promise<ReadonlyMap<string, number[]>> => {
  if (tasks.length === 0) return new Map();
  const { rows } = await sql.query<{ task: string; sim_id: number; chain: number[] }>(
    `select a.task, f.sim_id, f.chain || f.rule_id as chain
     from autoflow_firing_actions a join autoflow_firings f on f.id = a.firing_id where a.task = any($1)`,
    [tasks],
  );
  return new Map(rows.map(({ task, sim_id, chain }) => [chainKey(task, sim_id), chain.map(Number)]));
};
