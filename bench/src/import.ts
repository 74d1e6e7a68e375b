import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type DemoDevice,
  demoDevices,
  type HistoryRow,
  history,
  historyColumns,
  writeCsv,
} from '@simcube/network-sim';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Cluster, startCluster, withClient } from './cluster.ts';
import { type Fleet, makeFleet } from './fleet.ts';
import { cpuSecondsAlone, cpuSecondsOf } from './processes.ts';
import { simcube } from './product.ts';
import { median } from './report.ts';
import type { Run } from './run.ts';

const minRatio = 0.5;
const days = 183;
const seed = 7;
const quarterMs = 15 * 60_000;
const quartersPerDay = 96;
const chunkOctets = 1024 * 1024;

/** A kind of file that operators receive. */
interface Kind {
  name: string;
  /** Approximate number of rows per device. */
  rowsPerDevice: number;
  rows: (devices: readonly DemoDevice[], untilMs: number) => Iterable<HistoryRow>;
}

const kinds: readonly Kind[] = [
  {
    name: 'a day, a record each quarter of an hour',
    rowsPerDevice: quartersPerDay,
    rows: (devices, untilMs) => recordsOfDay(devices, untilMs),
  },
  {
    name: 'half a year, a record a day',
    rowsPerDevice: 200,
    rows: (devices, untilMs) => history({ devices, seed, untilMs, days }),
  },
];

/** Records that a gateway writes at each interim update, for all devices, by quarter of an hour. */
function* recordsOfDay(
  devices: readonly DemoDevice[],
  untilMs: number,
): Generator<HistoryRow, void, undefined> {
  // The last quarter must have ended: records of the future are refused.
  const firstMs = (Math.floor(untilMs / quarterMs) - quartersPerDay - 1) * quarterMs;
  for (let quarter = 0; quarter < quartersPerDay; quarter += 1) {
    for (const { index, imsi, iccid, imei, apn, homePlmn } of devices) {
      // Each device reports at a different second of the quarter.
      const startedMs = firstMs + quarter * quarterMs + (index % 800) * 1000;
      yield {
        imsi,
        iccid,
        started_at: new Date(startedMs).toISOString(),
        ended_at: new Date(startedMs + quarterMs - 1000).toISOString(),
        session_id: `S${index}-${quarter >> 4}`,
        up_bytes: 1000 + ((index * 31 + quarter * 17) % 9000),
        down_bytes: 4000 + ((index * 37 + quarter * 13) % 90_000),
        mcc: homePlmn.slice(0, 3),
        mnc: homePlmn.slice(3),
        rat: 'EUTRAN',
        imei,
        apn,
        cell: `${homePlmn.slice(0, 3)}-${homePlmn.slice(3)}-${1000 + (index % 500)}`,
      };
    }
  }
}

/**
 * A CDR file imported with the operator's command (parsed, resolved, deduplicated, counted, rolled up) compared with a plain COPY
 * of the same records, in the same order and already resolved, into a table with the same columns, partitions and indexes.
 */
export const cdrImport = async (run: Run): Promise<void> => {
  const { options, progress } = run;
  const cluster = await startCluster({ trackStatements: options.statements });
  try {
    for (const kind of kinds) {
      progress(`${kind.name}: writing ${options.rows.toLocaleString('en-US')} rows`);
      const files = { csv: join(cluster.directory, 'cdrs.csv'), copy: join(cluster.directory, 'cdrs.copy') };
      const devices = demoDevices(Math.ceil(options.rows / kind.rowsPerDevice), seed);
      const untilMs = Date.now();
      const rows = () => take(kind.rows(devices, untilMs), options.rows);
      await writeCsv({ columns: historyColumns, rows: rows(), to: createWriteStream(files.csv) });
      const written = await writeCopy({ rows: rows(), devices, path: files.copy });
      const samples: Sample[] = [];
      for (let round = 0; round < options.rounds; round += 1) {
        progress(`round ${round + 1} of ${options.rounds}`);
        samples.push(await measure({ cluster, devices, files, written, turn: round, run }));
      }
      report(run, { kind, written, samples });
    }
    run.note(`${options.rows.toLocaleString('en-US')} rows at most; median of ${options.rounds} rounds.`);
    run.note('The time of the import is that of the whole command, its start included.');
    run.note('Afterwards both tables held every row once, and the four rollups every byte.');
  } finally {
    await cluster.stop();
  }
};

function* take<T>(rows: Iterable<T>, count: number): Generator<T, void, undefined> {
  let yielded = 0;
  for (const row of rows) {
    if (yielded >= count) return;
    yielded += 1;
    yield row;
  }
}

interface Written {
  rows: number;
  bytes: number;
}

const copyColumns =
  'sim_id, ended_at, dedupe_key, started_at, org_id, plmn, up_bytes, down_bytes, session_key, radio, source, apn, cell';

/** Writes the same records for COPY: SIMs are numbered in the order of the devices. */
const writeCopy = async (options: {
  rows: Iterable<HistoryRow>;
  devices: readonly DemoDevice[];
  path: string;
}): Promise<Written> => {
  const simIds = new Map(options.devices.map(({ imsi }, index) => [imsi, index + 1]));
  const written: Written = { rows: 0, bytes: 0 };
  const lines = function* () {
    let text = '';
    for (const row of options.rows) {
      written.rows += 1;
      written.bytes += row.up_bytes + row.down_bytes;
      text += lineOf(row, simIds.get(row.imsi) ?? 0, written.rows);
      if (text.length < chunkOctets) continue;
      yield text;
      text = '';
    }
    yield text;
  };
  await pipeline(Readable.from(lines()), createWriteStream(options.path));
  return written;
};

/** Spreads numbers over 53 bits, like hashes. */
const scramble = (number: number): string =>
  String(BigInt.asUintN(53, BigInt(number) * 6_364_136_223_846_793_005n));

const lineOf = (row: HistoryRow, simId: number, number: number): string =>
  `${[
    simId,
    row.ended_at,
    scramble(number),
    row.started_at,
    1,
    Number(row.mcc) * 1000 + Number(row.mnc),
    row.up_bytes,
    row.down_bytes,
    scramble(number + 1e9),
    3,
    2,
    row.apn,
    row.cell || '\\N',
  ].join('\t')}\n`;

interface Sample {
  importSeconds: number;
  copySeconds: number;
  commandCpu: number;
  importDatabaseCpu: number;
  copyDatabaseCpu: number;
}

interface RoundOptions {
  cluster: Cluster;
  devices: readonly DemoDevice[];
  files: { csv: string; copy: string };
  written: Written;
  turn: number;
  run: Run;
}

const measure = async (roundOptions: RoundOptions): Promise<Sample> => {
  const { cluster, devices, files, written, turn, run } = roundOptions;
  const { progress, options } = run;
  const fleet = await makeFleet(cluster, { database: 'import', pastDays: days + 7 });
  await withClient(fleet.databaseUrl, async (client) => {
    await insertSims(client, fleet, devices);
    await client.query(bareTable);
  });
  const timeWork = async (work: () => Promise<void>) => {
    await cluster.settle();
    const before = { own: cpuSecondsAlone(process.pid), database: cpuSecondsOf(cluster.postmaster()) };
    const begin = performance.now();
    await work();
    return {
      seconds: (performance.now() - begin) / 1000,
      // The database may be a child of this process and keeps running: it is counted separately.
      own: cpuSecondsAlone(process.pid) - before.own,
      database: cpuSecondsOf(cluster.postmaster()) - before.database,
    };
  };
  await cluster.costliestStatements();
  const copy = () => timeWork(() => copyIn(fleet, files.copy));
  const importCsv = () =>
    timeWork(async () => void simcube(fleet, ['cdrs', 'import', files.csv, '--json'], options.profile));
  // The order alternates: the second one finds warmer caches, and more to clean up.
  const [copied, imported] =
    turn % 2 === 0
      ? [await copy(), await importCsv()]
      : await importCsv().then(async (result) => [await copy(), result] as const);
  progress(`  COPY ${copied.seconds.toFixed(1)} s, import ${imported.seconds.toFixed(1)} s`);
  for (const line of await cluster.costliestStatements()) progress(`  ${line}`);
  await verify(fleet, written);
  return {
    importSeconds: imported.seconds,
    copySeconds: copied.seconds,
    commandCpu: imported.own,
    importDatabaseCpu: imported.database,
    copyDatabaseCpu: copied.database,
  };
};

const insertSims = async (client: pg.Client, fleet: Fleet, devices: readonly DemoDevice[]): Promise<void> => {
  await client.query(
    `with made as (
       insert into sims (org_id, iccid, imsi, lifecycle, activated_at, apn)
       select $1, iccid, imsi, 23, now() - interval '1 year', 'iot.example'
       from unnest($2::text[], $3::text[]) with ordinality as d (iccid, imsi, number) order by number
       returning id, org_id)
     insert into sim_live (sim_id, org_id) select id, org_id from made`,
    [fleet.orgId, devices.map(({ iccid }) => iccid), devices.map(({ imsi }) => imsi)],
  );
  await client.query('vacuum (analyze)');
};

/** Columns, defaults, partitions and indexes of the real table, under another name. */
const bareTable = `
  create table bare_cdrs (like cdrs including all) partition by range (ended_at);
  do $$
  declare part record;
  begin
    for part in
      select c.relname, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_class c join pg_inherits i on i.inhrelid = c.oid where i.inhparent = 'cdrs'::regclass
    loop
      execute format('create table %I partition of bare_cdrs %s', 'bare_' || part.relname, part.bounds);
    end loop;
  end $$`;

const copyIn = (fleet: Fleet, path: string): Promise<void> =>
  withClient(fleet.databaseUrl, async (client) => {
    const sink = client.query(copyFrom(`copy bare_cdrs (${copyColumns}) from stdin`));
    await pipeline(createReadStream(path, { highWaterMark: chunkOctets }), sink);
  });

/** @throws Error unless both contain every record, and the rollups every byte */
const verify = (fleet: Fleet, written: Written): Promise<void> =>
  withClient(fleet.databaseUrl, async (client) => {
    const tables = [
      'cdrs',
      'bare_cdrs',
      'usage_hourly',
      'usage_daily',
      'org_usage_hourly',
      'org_usage_daily',
    ];
    for (const table of tables) {
      const { rows } = await client.query<{ records: number; bytes: number }>(
        `select ${table.endsWith('cdrs') ? 'count(*)' : 'sum(records)'}::float8 as records,
           sum(up_bytes + down_bytes)::float8 as bytes from ${table}`,
      );
      const found = rows[0];
      if (found?.records !== written.rows || found.bytes !== written.bytes)
        throw new Error(
          `${table} has ${found?.records} records of ${found?.bytes} bytes, not ${written.rows} of ${written.bytes}`,
        );
    }
  });

const report = (
  run: Run,
  { kind, written, samples }: { kind: Kind; written: Written; samples: Sample[] },
): void => {
  const medianOf = (value: (sample: Sample) => number) => median(samples.map(value));
  const [measured, baseline] = [
    written.rows / medianOf((sample) => sample.importSeconds),
    written.rows / medianOf((sample) => sample.copySeconds),
  ];
  const micros = (value: (sample: Sample) => number) => (medianOf(value) / written.rows) * 1e6;
  run.add({
    what: kind.name,
    measured,
    baseline,
    unit: 'rows/s',
    ratio: measured / baseline,
    budget: `${minRatio} × baseline`,
    met: measured / baseline >= minRatio,
    details: {
      rows: written.rows,
      'import s': medianOf((sample) => sample.importSeconds),
      'COPY s': medianOf((sample) => sample.copySeconds),
      'command CPU µs a row': micros((sample) => sample.commandCpu),
      'database CPU µs a row': micros((sample) => sample.importDatabaseCpu),
      'COPY database CPU µs a row': micros((sample) => sample.copyDatabaseCpu),
    },
  });
};
