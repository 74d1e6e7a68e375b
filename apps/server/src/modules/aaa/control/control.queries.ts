import type { Sql } from '../../../platform/db/index.ts';

export interface ControlEvent {
  simId: number;
  orgId: number;
  at: Date;
  kind: string;
  facts: Record<string, string | number | null>;
}

export const insertControlEvents = async (sql: Sql, events: readonly ControlEvent[]): Promise<void> => {
  await sql.query(
    `insert into sim_events (sim_id, at, org_id, kind, facts)
     select sim_id, at, org_id, kind, facts::jsonb
     from unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::text[], $5::text[])
       as e (sim_id, at, org_id, kind, facts)`,
    [
      events.map(({ simId }) => simId),
      events.map(({ at }) => at),
      events.map(({ orgId }) => orgId),
      events.map(({ kind }) => kind),
      events.map(({ facts }) => JSON.stringify(facts)),
    ],
  );
};

/** The gateways of all open sessions have confirmed this rate limit. */
export const confirmRate = async (sql: Sql, simId: number, rateKbps: number | null): Promise<void> => {
  await sql.query('update sim_live set network_rate_kbps = $2 where sim_id = $1', [simId, rateKbps]);
};
