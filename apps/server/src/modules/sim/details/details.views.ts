import type { SimSession } from '@simcube/contract/sim';
import { sql } from 'kysely';
import type { Db, Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import { type NetworkColumns, networkOf } from '../sim.rules.ts';
import type { OwnSim } from '../sim-scope.views.ts';
import { issuerCountry } from './issuer.rules.ts';

/** The data of the card itself. */
export const getSpec = async (db: Db, sim: OwnSim) => {
  const { iccid, ...card } = await db
    .selectFrom('sims')
    .select(['iccid', 'chip_grade', 'technology', 'delivery_note_number', 'shipment_on'])
    .where('id', '=', sim.id)
    .executeTakeFirstOrThrow();
  return { iccid, ...card, issuer_country: issuerCountry(iccid) } as {
    iccid: string;
    chip_grade: 'consumer' | 'industrial' | 'automotive' | null;
    technology: 'OTA' | 'OTA BIP' | 'one IMSI' | 'multi IMSI' | null;
    delivery_note_number: string | null;
    shipment_on: string | null;
    issuer_country: string | null;
  };
};

export interface SimLocation {
  latitude: number;
  longitude: number;
  cell: string;
  at: string;
}

/** The location of the last own session that reported a cell, if the cell's location is known. */
export const findLocation = async (db: Sql, sim: OwnSim): Promise<SimLocation | null> => {
  const { rows } = await db.query<{ latitude: number; longitude: number; cell: string; at: Date }>(
    `select c.latitude, c.longitude, last.cell, last.at
     from (select cell, updated_at as at from radius_sessions where sim_id = $1 and org_id = $2 and cell is not null
       order by stopped_at is null desc, updated_at desc limit 1) as last
     join cells c on c.cell = last.cell`,
    [sim.id, sim.orgId],
  );
  const [row] = rows;
  return row ? { ...row, at: row.at.toISOString() } : null;
};

interface SessionRow extends NetworkColumns {
  acct_session_id: string;
  started_at: Date;
  updated_at: Date;
  stopped_at: Date | null;
  terminate_cause: string | null;
  up_bytes: number;
  down_bytes: number;
  ip: string | null;
  apn: string | null;
  imei: string | null;
  cell: string | null;
}

/** Own sessions of one SIM, the most recently begun first. */
export const sessionList: List<OwnSim, object, SessionRow, SimSession> = {
  name: 'sim.sessions',
  tables: [
    {
      name: 'sessions',
      from: () => sql`radius_sessions r left join networks n on n.plmn = r.plmn`,
      inScope: ({ scope: { id, orgId } }) => sql`r.sim_id = ${id} and r.org_id = ${orgId}`,
    },
  ],
  key: { column: 'session_key', type: 'integer' },
  order: [{ column: 'started_at', type: 'instant', descending: true }],
  filters: {},
  countLimit: 'all',
  select: sql`r.acct_session_id, r.started_at, r.updated_at, r.stopped_at, r.terminate_cause, r.up_bytes, r.down_bytes,
    r.apn, r.imei, r.cell, r.plmn, r.radio, host(r.ip) as ip, n.mcc, n.mnc, n.operator, n.country`,
  show: (rows) =>
    rows.map((row) => ({
      id: row.acct_session_id,
      started_at: row.started_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      stopped_at: row.stopped_at?.toISOString() ?? null,
      terminate_cause: row.terminate_cause,
      up_bytes: row.up_bytes,
      down_bytes: row.down_bytes,
      ip: row.ip,
      apn: row.apn,
      imei: row.imei,
      network: networkOf(row),
      cell: row.cell,
    })),
};
