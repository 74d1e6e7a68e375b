import type { SimSession } from '@simcube/contract/sim';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Sql } from '../../../platform/db/index.ts';
import { decodeCursor, encodeCursor } from '../../../platform/http/index.ts';
import { networkOf } from '../sim.rules.ts';
import { instantTextSchema } from '../sim-cursor.rules.ts';
import type { OwnSim } from '../sim-scope.views.ts';
import { issuerCountry } from './issuer.rules.ts';

/** What the card itself is. */
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

/** Where the last own session that named a cell was, when it is known where that cell stands. */
export const findLocation = async (from: Sql, sim: OwnSim): Promise<SimLocation | null> => {
  const { rows } = await from.query<{ latitude: number; longitude: number; cell: string; at: Date }>(
    `select c.latitude, c.longitude, last.cell, last.at
     from (select cell, updated_at as at from radius_sessions where sim_id = $1 and org_id = $2 and cell is not null
       order by stopped_at is null desc, updated_at desc limit 1) as last
     join cells c on c.cell = last.cell`,
    [sim.id, sim.orgId],
  );
  const [row] = rows;
  return row ? { ...row, at: row.at.toISOString() } : null;
};

const sessionPositionSchema = z.object({ a: instantTextSchema, k: z.int() });

export interface PageOfSim {
  sim: OwnSim;
  page: { page_no: number; page_size: number; cursor?: string | undefined };
}

/** Own sessions of one SIM, the one that began last first. */
export const listSessions = async (
  db: Db,
  { sim, page }: PageOfSim,
): Promise<{ data: SimSession[]; total: number; nextCursor: string | null }> => {
  const after = page.cursor === undefined ? undefined : decodeCursor(page.cursor, sessionPositionSchema);
  const [rows, counted] = await Promise.all([
    db
      .selectFrom('radius_sessions as r')
      .leftJoin('networks as n', 'n.plmn', 'r.plmn')
      .select(['r.session_key', 'r.acct_session_id', 'r.started_at', 'r.updated_at', 'r.stopped_at'])
      .select(['r.terminate_cause', 'r.up_bytes', 'r.down_bytes', 'r.apn', 'r.imei', 'r.cell', 'r.plmn'])
      .select([
        sql<string | null>`host(r.ip)`.as('ip'),
        'r.radio',
        'n.mcc',
        'n.mnc',
        'n.operator',
        'n.country',
      ])
      .select(sql<string>`r.started_at::text`.as('position'))
      .where('r.sim_id', '=', sim.id)
      .where('r.org_id', '=', sim.orgId)
      .where(
        after ? sql<boolean>`(r.started_at, r.session_key) < (${after.a}, ${after.k})` : sql<boolean>`true`,
      )
      .orderBy('r.started_at', 'desc')
      .orderBy('r.session_key', 'desc')
      .limit(page.page_size + 1)
      .offset(after ? 0 : (page.page_no - 1) * page.page_size)
      .execute(),
    db
      .selectFrom('radius_sessions')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('sim_id', '=', sim.id)
      .where('org_id', '=', sim.orgId)
      .executeTakeFirstOrThrow(),
  ]);
  const shown = rows.slice(0, page.page_size);
  const last = rows.length > page.page_size ? shown.at(-1) : undefined;
  return {
    data: shown.map((row) => ({
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
    total: counted.total,
    nextCursor: last ? encodeCursor({ a: last.position, k: last.session_key }) : null,
  };
};
