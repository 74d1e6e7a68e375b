import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { dayMs } from '@simcube/contract/time';
import { type HistoryRow, historyColumns, writeCsv } from '@simcube/network-sim';
import type pg from 'pg';
import {
  comparedShare,
  type StoredUnits,
  tableCosts,
  tableMargin,
} from '../../apps/server/src/main/capacity/capacity.costs.ts';
import { bytesOfTables } from '../../apps/server/src/main/capacity/capacity.rules.ts';
import { completePacks, refreshCounts } from '../../apps/server/src/modules/cdr/counts/counts.service.ts';
import { systemClock } from '../../apps/server/src/platform/clock/index.ts';
import { connect } from '../../apps/server/src/platform/db/index.ts';
import { readTableBytes } from '../../apps/server/src/testing/table-bytes.ts';
import { phases } from './accounting-rounds.ts';
import { type Cluster, startCluster, withClient } from './cluster.ts';
import { type Fleet, fill, firstImsi, iccidOf, imsiOf, makeFleet, radiusSecret } from './fleet.ts';
import { simcube, startProduct } from './product.ts';
import { openLoad } from './radius-load.ts';
import type { Run } from './run.ts';

/** Stored data of an installation: CDRs of some SIMs for a number of days, and a session for each of the others. */
interface Shape {
  name: string;
  reportingSims: number;
  days: number;
  interimSeconds: number;
  /** Sessions over RADIUS. */
  sessions: number;
}

/** Costs are measured with the first; the others check them under different load. */
const shapes: readonly Shape[] = [
  { name: 'hourly', reportingSims: 2_000, days: 10, interimSeconds: 3_600, sessions: 20_000 },
  { name: 'each five minutes', reportingSims: 300, days: 6, interimSeconds: 300, sessions: 10_000 },
];

/**
 * Disk space of rows with their indexes, in tables filled by the product itself: CDRs by `cdrs import`, sessions by RADIUS. Each
 * is compared with the calculation of `simcube capacity`.
 */
export const sizes = async (run: Run): Promise<void> => {
  for (const shape of shapes) {
    const cluster = await startCluster();
    try {
      await compare(run, shape, await fillCluster(run, cluster, shape));
    } finally {
      await cluster.stop();
    }
  }
  run.note(
    `Bytes of the tables with their indexes, after vacuum; costs are for ${shapes[0]?.name ?? ''}. Baseline: as simcube ` +
      `capacity calculates from its costs; within ${tableMargin * 100}%.`,
  );
};

const fillCluster = async ({ progress }: Run, cluster: Cluster, shape: Shape): Promise<Fleet> => {
  progress(`${shape.name}: ${shape.reportingSims} SIMs for ${shape.days} days`);
  const fleet = await makeFleet(cluster, { database: 'sizes', pastDays: shape.days + 2 });
  await fill(fleet, shape.reportingSims + shape.sessions, { plain: true });
  const file = join(cluster.directory, 'cdrs.csv');
  await writeCsv({ columns: historyColumns, rows: recordsOf(shape), to: createWriteStream(file) });
  simcube(fleet, ['cdrs', 'import', file, '--json']);
  progress('computing hours and days');
  await computeCounts(fleet);
  progress('sessions over RADIUS');
  await playSessions(fleet, shape);
  await withClient(fleet.databaseUrl, (client) => client.query('vacuum (analyze)'));
  return fleet;
};

/** One session per day and SIM, reported at each interval and at its end, in order of time. */
function* recordsOf({ reportingSims, days, interimSeconds }: Shape): Generator<HistoryRow, void, undefined> {
  const firstMs = (Math.floor(Date.now() / dayMs) - days) * dayMs;
  const interimMs = interimSeconds * 1000;
  for (let startMs = firstMs; startMs < firstMs + days * dayMs; startMs += interimMs) {
    const day = Math.floor((startMs - firstMs) / dayMs);
    for (let index = 0; index < reportingSims; index += 1) {
      const offsetMs = Math.floor((index / reportingSims) * (interimMs - 1000));
      yield {
        imsi: imsiOf(index),
        iccid: iccidOf(index),
        started_at: new Date(startMs).toISOString(),
        ended_at: new Date(startMs + offsetMs + 500).toISOString(),
        session_id: `S${index}-${day}`,
        up_bytes: 1000 + ((index * 31 + startMs / 1000) % 9000),
        down_bytes: 4000 + ((index * 37 + startMs / 1000) % 90_000),
        mcc: '262',
        mnc: index % 5 === 0 ? '01' : '02',
        rat: 'EUTRAN',
        imei: '',
        apn: 'iot.example',
        cell: `262-02-${1000 + (index % 500)}`,
      };
    }
  }
}

const computeCounts = async ({ databaseUrl }: Fleet): Promise<void> => {
  const { pool, close } = connect({ url: databaseUrl, max: 1, name: 'bench', onError: () => undefined });
  try {
    const options = { pool, clock: systemClock, signal: new AbortController().signal };
    await refreshCounts(options);
    await completePacks(options);
  } finally {
    await close();
  }
};

const playSessions = async (fleet: Fleet, { sessions, reportingSims }: Shape): Promise<void> => {
  const product = await startProduct({ ...fleet, roles: 'aaa', radiusSecret });
  try {
    const load = await openLoad({
      host: '127.0.0.1',
      port: product.acctPort,
      secret: radiusSecret,
      sockets: 8,
      window: 256,
      sessions,
      firstImsi: firstImsi + reportingSims,
      run: Math.floor(Date.now() / 1000),
    });
    for (const phase of phases) await load.run(phase);
    load.close();
  } finally {
    await product.stop();
  }
};

const compare = ({ add }: Run, { name }: Shape, { databaseUrl }: Fleet): Promise<void> =>
  withClient(databaseUrl, async (client) => {
    const [stored, tableBytes] = [await countUnits(client), await readTableBytes(client)];
    const all = tableCosts.reduce((sum, { table }) => sum + (tableBytes.get(table) ?? 0), 0);
    for (const { table, per, bytes: calculated } of bytesOfTables(stored)) {
      const bytes = tableBytes.get(table) ?? 0;
      const ratio = bytes / calculated;
      add({
        what: `${name}: ${table}, per ${per}`,
        measured: bytes / stored[per],
        unit: 'bytes',
        baseline: calculated / stored[per],
        ratio,
        // Small tables consist mostly of the fixed size of partitions and indexes.
        ...(bytes >= all * comparedShare && {
          budget: `${1 - tableMargin} to ${1 + tableMargin} ×`,
          met: Math.abs(ratio - 1) <= tableMargin,
        }),
        details: { stored: stored[per], bytes },
      });
    }
  });

const countUnits = async (client: pg.Client): Promise<StoredUnits> => {
  const count = async (table: string) =>
    (await client.query<{ count: number }>(`select count(*)::float8 as count from ${table}`)).rows[0]
      ?.count ?? 0;
  return {
    SIM: await count('sims'),
    CDR: await count('cdrs'),
    hour: await count('usage_hourly'),
    day: await count('usage_daily'),
    session: await count('radius_sessions'),
    'session with CDRs': await count('cdr_sessions'),
  };
};
