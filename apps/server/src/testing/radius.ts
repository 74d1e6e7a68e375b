import {
  type AttributeName,
  type AttributeValues,
  AttributeWriter,
  attribute,
  encodeUserLocation,
  openRadiusClient,
  type Plmn,
  type RadiusClient,
  radiusCode,
} from '@simcube/radius';
import type pg from 'pg';
import { expect } from 'vitest';
import { addGateway, type Radius, startRadius } from '../modules/aaa/index.ts';
import { pooledUsage } from '../modules/pool/index.ts';
import { verifyUsage } from '../modules/usage/index.ts';
import type { Clock } from '../platform/clock/index.ts';
import { type Database, type DatabaseHealth, type Listener, readShards } from '../platform/db/index.ts';
import { createLog, type Log } from '../platform/log/index.ts';
import { createMetrics, type Metrics } from '../platform/metrics/index.ts';
import { vaultOf } from '../platform/secrets/index.ts';
import { alwaysReady } from './readiness.ts';

export const radiusSecret = 'testing123-testing123';
export const radiusKey = Buffer.alloc(32, 7);

export interface TestSims {
  orgId: number;
  /** Ids of the SIMs; IMSIs count up from `firstImsi`, and ICCIDs do the same. */
  ids: number[];
  imsi: (index: number) => string;
  iccid: (index: number) => string;
}

/** An organisation with active SIMs, and the gateway 127.0.0.1. */
export const radiusInventory = async (
  { pool }: Pick<Database, 'pool'>,
  count: number,
  options: { lifecycle?: number; coaPort?: number; interimSeconds?: number } = {},
): Promise<TestSims> => {
  const code = `o${Math.random().toString(36).slice(2, 10)}`;
  const org = await pool.query<{ id: number }>(
    `insert into organisations (code, name, country) values ($1, $1, 'DE') returning id`,
    [code],
  );
  const orgId = org.rows[0]?.id ?? 0;
  const first = orgId * 1_000_000;
  const imsi = (index: number) => String(262_020_000_000_000 + first + index);
  const iccid = (index: number) => `8949020000${String(first + index).padStart(10, '0')}`;
  const indexes = Array.from({ length: count }, (_, index) => index);
  const sims = await pool.query<{ id: number }>(
    `insert into sims (org_id, iccid, imsi, msisdn, lifecycle)
     select $1, * , $4::smallint from unnest($2::text[], $3::text[], $5::text[]) returning id`,
    [
      orgId,
      indexes.map(iccid),
      indexes.map(imsi),
      options.lifecycle ?? 23,
      indexes.map((index) => String(491_500_000_000 + first + index)),
    ],
  );
  const ids = sims.rows.map((row) => row.id).sort((a, b) => a - b);
  await pool.query('insert into sim_live (sim_id, org_id) select unnest($1::bigint[]), $2', [ids, orgId]);
  await testGateway(pool, options);
  return { orgId, ids, imsi, iccid };
};

/** This many of the SIMs, all with accounting in one lane: on a cluster, SIMs of one node. */
export const simsOfOneLane = async (
  { pool }: Pick<Database, 'pool'>,
  sims: TestSims,
  count: number,
): Promise<TestSims> => {
  const shards = await readShards(pool, 'written_histories');
  const nodeOf = (id: number | undefined) => shards && id !== undefined && shards.nodeOf(shards.shardOf(id));
  const places = [...sims.ids.keys()].filter((place) => nodeOf(sims.ids[place]) === nodeOf(sims.ids[0]));
  const placeOf = (index: number): number => places[index] ?? 0;
  return {
    orgId: sims.orgId,
    ids: places.slice(0, count).map((place) => sims.ids[place] ?? 0),
    imsi: (index) => sims.imsi(placeOf(index)),
    iccid: (index) => sims.iccid(placeOf(index)),
  };
};

const testGateway = async (
  pool: pg.Pool,
  { coaPort = 3799, interimSeconds = 300 }: { coaPort?: number; interimSeconds?: number },
): Promise<void> => {
  const gateway = {
    name: 'test gateway',
    network: '127.0.0.0/8',
    coaHost: null,
    coaPort,
    rateAttribute: 'WISPr-Bandwidth-Max-Down' as const,
    interimSeconds,
    requireMessageAuthenticator: true,
  };
  await addGateway({ pool, vault: vaultOf(radiusKey) }, gateway, radiusSecret);
};

export interface TestRadius {
  radius: Radius;
  authPort: number;
  acctPort: number;
  metrics: Metrics;
  /** Clients for the accounting port and the authentication port. */
  acct: RadiusClient;
  auth: RadiusClient;
  stop(): Promise<void>;
}

/** The RADIUS server in this process on free ports, with a client for each. */
export const testRadius = async (
  database: Database,
  clock: Clock,
  {
    health = alwaysReady,
    log = createLog({ level: 'silent', format: 'json' }),
    listener,
  }: { health?: Pick<DatabaseHealth, 'trouble'>; log?: Log; listener?: Listener } = {},
): Promise<TestRadius> => {
  const metrics = createMetrics();
  const radius = await startRadius({
    pool: database.pool,
    url: database.url,
    clock,
    log,
    metrics,
    vault: vaultOf(radiusKey),
    health,
    ...(listener && { listener }),
  });
  const auth = await radius.listenAuthentication('127.0.0.1', 0);
  const acct = await radius.listenAccounting('127.0.0.1', 0);
  const clients = await Promise.all(
    [acct.port, auth.port].map((port) =>
      openRadiusClient({ host: '127.0.0.1', port, secret: Buffer.from(radiusSecret), maxDurationMs: 10_000 }),
    ),
  );
  const [acctClient, authClient] = clients as [RadiusClient, RadiusClient];
  return {
    radius,
    authPort: auth.port,
    acctPort: acct.port,
    metrics,
    acct: acctClient,
    auth: authClient,
    stop: async () => {
      await Promise.all([acctClient.close(), authClient.close()]);
      await radius.stop();
    },
  };
};

export type Values = { [N in AttributeName]?: AttributeValues[(typeof attribute)[N]['kind']] };

export const attributesOf = (values: Values): AttributeWriter => {
  const writer = new AttributeWriter();
  for (const [name, value] of Object.entries(values)) {
    writer.add(attribute[name as AttributeName], value as never);
  }
  return writer;
};

export interface AccountingPacket {
  imsi: string;
  session: string;
  at: Date;
  up?: number;
  down?: number;
  ip?: string;
  imei?: string;
  network?: Plmn;
  more?: Values;
}

const gigaword = 2 ** 32;
const statusNumbers = { start: 1, stop: 2, interim: 3, on: 7, off: 8 } as const;

/** An accounting packet of a gateway `pgw-1`, with the attributes of a real one. */
export const accountingAttributes = (
  status: 'start' | 'interim' | 'stop',
  packet: AccountingPacket,
): AttributeWriter => {
  const { imsi, session, at, up = 0, down = 0, network = { mcc: '262', mnc: '02' } } = packet;
  return attributesOf({
    acctStatusType: statusNumbers[status],
    acctSessionId: session,
    userName: imsi,
    imsi,
    nasIdentifier: 'pgw-1',
    calledStationId: 'iot.example',
    framedIpAddress: packet.ip ?? '10.64.12.9',
    eventTimestamp: Math.floor(at.getTime() / 1000),
    acctInputOctets: up % gigaword,
    acctInputGigawords: Math.floor(up / gigaword),
    acctOutputOctets: down % gigaword,
    acctOutputGigawords: Math.floor(down / gigaword),
    ratType: 6,
    sgsnMccMnc: `${network.mcc}${network.mnc}`,
    imeisv: Buffer.from(packet.imei ?? '3569380356438091'),
    userLocationInfo: encodeUserLocation({ type: 'ecgi', ...network, cellId: 27_447_297 }),
    ...packet.more,
  });
};

/** Sends one accounting packet. @returns whether it was acknowledged */
export const sendAccounting = async (
  client: RadiusClient,
  status: 'start' | 'interim' | 'stop',
  packet: AccountingPacket,
): Promise<boolean> => {
  const reply = await client.send({
    code: radiusCode.accountingRequest,
    attributes: accountingAttributes(status, packet),
  });
  return reply.ok;
};

/** Expects rollups and counters of every SIM, organisation and pool to agree with the CDRs. */
export const expectVerified = async ({ pool }: Pick<Database, 'pool'>): Promise<void> => {
  const differences: unknown[] = [];
  const onDifference = (difference: unknown) => differences.push(difference);
  const { sims, differing } = await verifyUsage({ pool, pooledUsage, now: new Date(), onDifference });
  expect({ differences, differing }).toEqual({ differences: [], differing: 0 });
  expect(sims).toBeGreaterThan(0);
};

/** Everything that accounting counts, in one row: five sums that must agree. */
export const countedBytes = async ({ pool }: Pick<Database, 'pool'>, orgId: number) => {
  const { rows } = await pool.query<
    Record<'cdrs' | 'hourly' | 'daily' | 'org_hourly' | 'org_daily' | 'live', number>
  >(
    `select (select coalesce(sum(up_bytes + down_bytes), 0)::bigint from cdrs where org_id = $1) as cdrs,
       (select coalesce(sum(h.up_bytes + h.down_bytes), 0)::bigint from sim_usage_hourly h
          join sims s on s.id = h.sim_id where s.org_id = $1) as hourly,
       (select coalesce(sum(d.up_bytes + d.down_bytes), 0)::bigint from sim_usage_daily d
          join sims s on s.id = d.sim_id where s.org_id = $1) as daily,
       (select coalesce(sum(up_bytes + down_bytes), 0)::bigint from org_usage_hourly where org_id = $1) as org_hourly,
       (select coalesce(sum(up_bytes + down_bytes), 0)::bigint from org_usage_daily where org_id = $1) as org_daily,
       (select coalesce(sum(used_bytes), 0)::bigint from sim_live where org_id = $1)
         + (select coalesce(sum(c.used_bytes), 0)::bigint from usage_cycles c
              join sims s on s.id = c.sim_id where s.org_id = $1) as live`,
    [orgId],
  );
  return rows[0];
};

/** The expected result of `countedBytes` for this many bytes. */
export const allCounted = (bytes: number) => ({
  cdrs: bytes,
  hourly: bytes,
  daily: bytes,
  org_hourly: bytes,
  org_daily: bytes,
  live: bytes,
});
