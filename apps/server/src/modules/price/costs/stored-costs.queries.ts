import type { Sql } from '../../../platform/db/index.ts';

/** The live state from which a stored cost was computed. */
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

/**
 * SIMs, by id, whose live state differs from the one their stored cost was computed from, and SIMs whose cost
 * was cleared by a transfer, even if they have come back since.
 */
export const listOutdatedCosts = async (
  sql: Sql,
  { after, limit }: { after: number; limit: number },
): Promise<CostBasis[]> => {
  const { rows } = await sql.query<CostBasis>(
    `select l.sim_id, s.iccid, l.org_id, l.cycle_started_at::text, l.limit_bytes, l.extra_bytes, l.used_bytes
     from (
       select l.* from sim_live l left join sim_costs c on c.sim_id = l.sim_id
       where l.sim_id > $1 and (
         (c.sim_id is null and l.cycle_started_at is not null) or c.org_id <> l.org_id
         or (c.sim_id is not null and c.cycle_started_at is distinct from l.cycle_started_at)
         or (c.sim_id is not null and c.limit_bytes is distinct from l.limit_bytes)
         or (l.cost_micros < 0 and c.currency is not null)
         or l.extra_bytes <> c.extra_bytes or l.used_bytes < c.used_bytes or l.used_bytes > c.stands_to_bytes)
       order by l.sim_id limit $2) as l
     join sims s on s.id = l.sim_id order by l.sim_id`,
    [after, limit],
  );
  return rows;
};

export interface StoredCost extends CostBasis {
  /** Null without a price. */
  currency: string | null;
  /** Millionths of the currency; -1 without a price. */
  cost_micros: number;
  /** The part of the cost that usage does not cause. */
  fees_micros: number;
  stands_to_bytes: number | null;
}

/** The former and new cost of a SIM's running cycle, in millionths of the currency. */
export interface ChangedCost {
  sim_id: number;
  org_id: number;
  /** Milliseconds. */
  cycle_started_ms: number;
  currency: string;
  /** 0 at the beginning of a cycle, and in another currency. */
  former_micros: number;
  cost_micros: number;
  fees_micros: number;
}

/**
 * Writes the costs by which lists filter and sort SIMs. A SIM whose organisation or cycle has changed since its
 * cost was computed is skipped: it is still outdated. Live state is locked in the order of ids, as by intake.
 * @returns those that cost more than before
 */
export const writeCosts = async (tx: Sql, costs: readonly StoredCost[]): Promise<ChangedCost[]> => {
  const changed = JSON.stringify(costs);
  await tx.query('select from sim_live where sim_id = any($1::bigint[]) order by sim_id for no key update', [
    costs.map(({ sim_id }) => sim_id),
  ]);
  const { rows } = await tx.query<ChangedCost>(
    `with former as (
       select l.sim_id, case when c.org_id = l.org_id and c.cycle_started_at = l.cycle_started_at
         and c.currency = w.currency then greatest(l.cost_micros, 0) else 0 end as micros
       from jsonb_to_recordset($1) as w (sim_id bigint, currency text) join sim_live l on l.sim_id = w.sim_id
       left join sim_costs c on c.sim_id = l.sim_id),
     written as (
       update sim_live l set cost_micros = w.cost_micros
       from jsonb_to_recordset($1) as w (sim_id bigint, org_id bigint, cycle_started_at timestamptz, cost_micros bigint,
         fees_micros bigint, currency text)
       where l.sim_id = w.sim_id and l.org_id = w.org_id and l.cycle_started_at is not distinct from w.cycle_started_at
         and l.cost_micros <> w.cost_micros
       returning l.sim_id, l.org_id, l.cycle_started_at, w.currency, l.cost_micros,
         w.fees_micros)
     select w.sim_id, w.org_id, (extract(epoch from w.cycle_started_at) * 1000)::float8 as cycle_started_ms, w.currency,
       f.micros as former_micros, w.cost_micros, w.fees_micros
     from written w join former f on f.sim_id = w.sim_id
     where w.currency is not null and w.cycle_started_at is not null and w.cost_micros > f.micros
     order by w.org_id, w.sim_id`,
    [changed],
  );
  await tx.query(
    `insert into sim_costs (sim_id, org_id, cycle_started_at, limit_bytes, extra_bytes, used_bytes, stands_to_bytes, currency)
     select sim_id, org_id, cycle_started_at, limit_bytes, extra_bytes, used_bytes, stands_to_bytes, currency
     from jsonb_to_recordset($1) as w (sim_id bigint, org_id bigint, cycle_started_at timestamptz, limit_bytes bigint,
       extra_bytes bigint, used_bytes bigint, stands_to_bytes bigint, currency text)
     on conflict (sim_id) do update set org_id = excluded.org_id, cycle_started_at = excluded.cycle_started_at,
       limit_bytes = excluded.limit_bytes, extra_bytes = excluded.extra_bytes, used_bytes = excluded.used_bytes, stands_to_bytes = excluded.stands_to_bytes,
       currency = excluded.currency`,
    [changed],
  );
  return rows;
};

/** The last computed cost of a SIM's running cycle, in millionths; undefined without a price. */
export const findStoredCost = async (
  sql: Sql,
  { orgId, simId }: { orgId: number; simId: number },
): Promise<{ currency: string; micros: number } | undefined> =>
  (
    await sql.query<{ currency: string; micros: number }>(
      `select c.currency, l.cost_micros as micros from sim_live l join sim_costs c on c.sim_id = l.sim_id
       where l.sim_id = $1 and l.org_id = $2 and c.org_id = $2 and c.cycle_started_at = l.cycle_started_at
         and l.cost_micros >= 0 and c.currency is not null`,
      [simId, orgId],
    )
  ).rows[0];

/** Locked while costs are computed and written, against concurrent changes of prices. */
export const lockPrices = async (tx: Sql): Promise<void> => {
  await tx.query('lock table sim_costs in row exclusive mode');
};

/**
 * After a change of prices, marks every stored cost to be computed again. The former amounts remain: a threshold that one
 * had already reached is not reached again.
 */
export const invalidateCosts = async (tx: Sql): Promise<void> => {
  await tx.query('lock table sim_costs in exclusive mode');
  await tx.query('update sim_costs set stands_to_bytes = -1 where stands_to_bytes is distinct from -1');
};
