import type { Sql } from '../../platform/db/index.ts';

/** What a kept cost was computed from. */
export interface CostBasis {
  sim_id: number;
  iccid: string;
  org_id: number;
  /** As the database writes it, to the microsecond. */
  cycle_started_at: string | null;
  limit_bytes: number | null;
  extra_bytes: number;
  used_bytes: number;
}

/** SIMs in the order of ids whose live state is no longer what their kept cost was computed from. */
export const listOutdated = async (
  sql: Sql,
  { after, most }: { after: number; most: number },
): Promise<CostBasis[]> => {
  const { rows } = await sql.query<CostBasis>(
    `select l.sim_id, s.iccid, l.org_id, l.cycle_started_at::text, l.limit_bytes, l.extra_bytes, l.used_bytes
     from (
       select l.* from sim_live l left join sim_costs c on c.sim_id = l.sim_id
       where l.sim_id > $1 and (
         (c.sim_id is null and l.cycle_started_at is not null) or c.org_id <> l.org_id
         or (c.sim_id is not null and c.cycle_started_at is distinct from l.cycle_started_at)
         or (c.sim_id is not null and c.limit_bytes is distinct from l.limit_bytes)
         or l.extra_bytes <> c.extra_bytes or l.used_bytes < c.used_bytes or l.used_bytes > c.stands_to_bytes)
       order by l.sim_id limit $2) as l
     join sims s on s.id = l.sim_id order by l.sim_id`,
    [after, most],
  );
  return rows;
};

export interface KeptCost extends CostBasis {
  /** Millionths of the currency; -1 without a price. */
  cost_micros: number;
  stands_to_bytes: number | null;
}

/**
 * What lists find and sort SIMs by. A SIM that has changed hands or cycles since its cost was computed keeps none from
 * before: it is outdated still. Live state is locked in the order of ids, as intake locks it.
 */
export const writeCosts = async (tx: Sql, costs: readonly KeptCost[]): Promise<void> => {
  const changed = JSON.stringify(costs);
  await tx.query('select from sim_live where sim_id = any($1::bigint[]) order by sim_id for no key update', [
    costs.map(({ sim_id }) => sim_id),
  ]);
  await tx.query(
    `update sim_live l set cost_micros = w.cost_micros
     from jsonb_to_recordset($1) as w (sim_id bigint, org_id bigint, cycle_started_at timestamptz, cost_micros bigint)
     where l.sim_id = w.sim_id and l.org_id = w.org_id and l.cycle_started_at is not distinct from w.cycle_started_at
       and l.cost_micros <> w.cost_micros`,
    [changed],
  );
  await tx.query(
    `insert into sim_costs (sim_id, org_id, cycle_started_at, limit_bytes, extra_bytes, used_bytes, stands_to_bytes)
     select sim_id, org_id, cycle_started_at, limit_bytes, extra_bytes, used_bytes, stands_to_bytes
     from jsonb_to_recordset($1) as w (sim_id bigint, org_id bigint, cycle_started_at timestamptz, limit_bytes bigint,
       extra_bytes bigint, used_bytes bigint, stands_to_bytes bigint)
     on conflict (sim_id) do update set org_id = excluded.org_id, cycle_started_at = excluded.cycle_started_at,
       limit_bytes = excluded.limit_bytes, extra_bytes = excluded.extra_bytes, used_bytes = excluded.used_bytes, stands_to_bytes = excluded.stands_to_bytes`,
    [changed],
  );
};

/** Held while costs are computed and written, against prices that change meanwhile. */
export const holdPrices = async (tx: Sql): Promise<void> => {
  await tx.query('lock table sim_costs in row exclusive mode');
};

/** After a change of prices every kept cost is to be computed again. */
export const outdateCosts = async (tx: Sql): Promise<void> => {
  await tx.query('lock table sim_costs in exclusive mode');
  await tx.query('delete from sim_costs');
};
