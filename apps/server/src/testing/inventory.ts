import { type Connection, type Lifecycle, lifecycleNumbers } from '@simcube/contract/sim';
import { connectionNumbers } from '../modules/sim/index.ts';
import type { Sql } from '../platform/db/index.ts';

export interface SimFacts {
  iccid: string;
  imsi: string;
  msisdn: string | null;
  imei: string | null;
  deviceName: string | null;
  notes: string | null;
  tags: string[];
  lifecycle: Lifecycle;
  activatedAt: string | null;
  expiresAt: string | null;
  bundleId: number | null;
  connection: Connection;
  lastSeenAt: string | null;
  usedBytes: number;
  limitBytes: number | null;
  overLimit: boolean;
  plmn: number | null;
}

let count = 0;

/** Creates a SIM with its live state and counts, with defaults for what is not given. */
export const makeSim = async (
  sql: Sql,
  orgId: number,
  facts: Partial<SimFacts> = {},
): Promise<{ id: number; iccid: string; imsi: string }> => {
  count += 1;
  const digits = String(count).padStart(10, '0');
  const sim: SimFacts = {
    iccid: `898600${digits}000`,
    imsi: `26201${digits}`,
    msisdn: null,
    imei: null,
    deviceName: null,
    notes: null,
    tags: [],
    lifecycle: 'active',
    activatedAt: null,
    expiresAt: null,
    bundleId: null,
    connection: 'unknown',
    lastSeenAt: null,
    usedBytes: 0,
    limitBytes: null,
    overLimit: false,
    plmn: null,
    ...facts,
  };
  const { rows } = await sql.query<{ id: number }>(
    `with made as (
       insert into sims (org_id, iccid, imsi, msisdn, last_imei, device_name, notes, tags, lifecycle,
         activated_at, expires_at, bundle_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id),
     live as (
       insert into sim_live (sim_id, org_id, connection, last_seen_at, used_bytes, limit_bytes, over_limit, plmn)
       select id, $1, $13, $14, $15, $16, $17, $18 from made),
     counted as (
       insert into org_sim_counts (org_id, lifecycle, sims) values ($1, $9, 1)
       on conflict (org_id, lifecycle) do update set sims = org_sim_counts.sims + 1),
     tagged as (
       insert into org_tags (org_id, tag, sims) select $1, unnest($8::text[]), 1
       on conflict (org_id, tag) do update set sims = org_tags.sims + 1)
     select id from made`,
    [
      orgId,
      sim.iccid,
      sim.imsi,
      sim.msisdn,
      sim.imei,
      sim.deviceName,
      sim.notes,
      sim.tags,
      lifecycleNumbers[sim.lifecycle],
      sim.activatedAt,
      sim.expiresAt,
      sim.bundleId,
      connectionNumbers[sim.connection],
      sim.lastSeenAt,
      sim.usedBytes,
      sim.limitBytes,
      sim.overLimit,
      sim.plmn,
    ],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('The SIM was not made');
  return { id, iccid: sim.iccid, imsi: sim.imsi };
};

/** Makes a prepaid bundle of 1 GB a month. */
export const makeBundle = async (
  sql: Sql,
  { code, quotaBytes = 1024 ** 3 }: { code: string; quotaBytes?: number },
): Promise<number> => {
  const { rows } = await sql.query<{ id: number }>(
    `insert into bundles (code, name, sku, type, quota_bytes, overage_policy, reset_cycle)
     values ($1, $1 || ' bundle', 'SKU-' || $1, 'prepaid basic', $2, 'stop', 'month') returning id`,
    [code, quotaBytes],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('The bundle was not made');
  return id;
};

/** Gives a SIM a unique phone number. */
export const assignMsisdn = async (sql: Sql, simId: number): Promise<string> => {
  const msisdn = `88213${String(simId).padStart(8, '0')}`;
  await sql.query('update sims set msisdn = $2 where id = $1', [simId, msisdn]);
  return msisdn;
};
