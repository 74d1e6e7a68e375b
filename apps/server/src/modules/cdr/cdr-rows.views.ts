import { limits } from '@simcube/contract';
import { type Cdr, type CdrId, cdrSources } from '@simcube/contract/cdr';
import { hourMs } from '@simcube/contract/time';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { networkOf } from '../sim/index.ts';
import { radioName } from './cdr-filter.views.ts';
import { readOrders } from './orders.views.ts';

/** A stored record. */
export interface CdrColumns {
  sim_id: number;
  /** Microseconds since 1970. */
  ended_us: number;
  dedupe_key: number;
  started_at: Date;
  plmn: number;
  radio: number;
  up_bytes: number;
  down_bytes: number;
  session_key: number | null;
  source: number;
  apn: string | null;
  cell: string | null;
}

/** The columns needed to show a record. */
export const cdrColumns = sql`sim_id, (extract(epoch from ended_at) * 1000000)::bigint as ended_us, dedupe_key,
  started_at, plmn, radio, up_bytes, down_bytes, session_key, source, apn, cell`;

/**
 * Since when records are provisional: more records of that time may still arrive within the given hours. In whole
 * hours, so that hourly sums are either provisional or not.
 */
export const provisionalFrom = (now: Date): Date =>
  new Date(Math.floor(now.getTime() / hourMs - limits.provisionalHours) * hourMs);

interface NamedSim {
  id: number;
  iccid: string;
  imsi: string;
  msisdn: string | null;
  device_name: string | null;
  own: boolean;
}
interface NamedNetwork {
  plmn: number;
  mcc: string;
  mnc: string;
  operator: string | null;
  country: string | null;
}

/** Records for display, with the names of their SIMs and networks. */
export const showCdrs = async (
  db: Db,
  { orgId, now, rows }: { orgId: number; now: Date; rows: readonly CdrColumns[] },
): Promise<Cdr[]> => {
  const [sims, networks, orderOf] = await Promise.all([
    readSims(
      db,
      orgId,
      rows.map(({ sim_id }) => sim_id),
    ),
    readNetworks(
      db,
      rows.map(({ plmn }) => plmn),
    ),
    readOrders(db, orgId, rows),
  ]);
  const provisional = provisionalFrom(now).getTime();
  return rows.flatMap((row) => {
    const sim = sims.get(row.sim_id);
    if (!sim) return [];
    const bundle = orderOf(row)?.bundle_name ?? null;
    return [shownCdr(row, { sim, network: networks.get(row.plmn), bundle, provisional })];
  });
};

interface Named {
  sim: NamedSim;
  network: NamedNetwork | undefined;
  bundle: string | null;
  /** Start of the provisional time, milliseconds since 1970. */
  provisional: number;
}

const shownCdr = (row: CdrColumns, { sim, network, bundle, provisional }: Named): Cdr => {
  const endedAt = new Date(Math.floor(row.ended_us / 1000));
  const named = { mcc: null, mnc: null, operator: null, country: null, ...network };
  const radio = radioName(row.radio);
  return {
    id: cdrId(sim.iccid, row),
    started_at: row.started_at.toISOString(),
    ended_at: endedAt.toISOString(),
    iccid: sim.iccid,
    imsi: sim.imsi,
    msisdn: sim.msisdn,
    device_name: sim.own ? sim.device_name : null,
    own: sim.own,
    network: networkOf({ ...named, plmn: row.plmn, radio: row.radio }),
    radio: radio === 'unknown' ? null : radio,
    cell: row.cell,
    apn: row.apn,
    bundle,
    session: row.session_key === null ? null : `${sim.iccid}-${row.session_key}`,
    source: cdrSources[row.source - 1] ?? 'radius',
    up_bytes: row.up_bytes,
    down_bytes: row.down_bytes,
    total_bytes: row.up_bytes + row.down_bytes,
    provisional: endedAt.getTime() >= provisional,
  };
};

const cdrId = (iccid: string, { ended_us, dedupe_key }: CdrColumns): CdrId =>
  `${iccid}-${ended_us}-${dedupe_key}`;

/** The parts of a record's id: the SIM's ICCID, microseconds since 1970, and key. */
export const partsOfId = (id: CdrId): { iccid: string; endedUs: number; key: number } => {
  const [iccid = '', endedUs, key] = id.split('-');
  return { iccid, endedUs: Number(endedUs), key: Number(key) };
};

const byKey = <K, V>(rows: readonly V[], keyOf: (row: V) => K): Map<K, V> =>
  new Map(rows.map((row) => [keyOf(row), row]));

const readSims = async (db: Db, orgId: number, ids: readonly number[]): Promise<Map<number, NamedSim>> => {
  const { rows } = await sql<NamedSim>`
    select id, iccid, imsi, msisdn, device_name, org_id = ${orgId} as own
    from sims where id = any(${[...new Set(ids)]}::bigint[])`.execute(db);
  return byKey(rows, ({ id }) => id);
};

const readNetworks = async (db: Db, plmns: readonly number[]): Promise<Map<number, NamedNetwork>> => {
  const { rows } = await sql<NamedNetwork>`
    select plmn, mcc, mnc, operator, country from networks where plmn = any(${[...new Set(plmns)]}::integer[])`.execute(
    db,
  );
  return byKey(rows, ({ plmn }) => plmn);
};
