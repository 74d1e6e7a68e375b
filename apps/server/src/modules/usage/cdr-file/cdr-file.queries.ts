import type pg from 'pg';
import { copyRows, int8Column, type Sql, textColumn, timestampColumn } from '../../../platform/db/index.ts';
import { countsSince } from '../../bundle/index.ts';
import { simsBy } from '../../sim/index.ts';
import type { Chunk, Refusal, ResolvedSim } from './records.ts';

export interface CdrFile {
  id: number;
  doneBytes: number;
  doneLines: number;
  accepted: number;
  duplicate: number;
  refused: number;
  finishedAt: Date | null;
  /** Of the import that began last. */
  runId: string;
}

const fileColumns = `id, done_bytes as "doneBytes", done_lines as "doneLines", accepted, duplicate, refused,
  finished_at as "finishedAt", run_id as "runId"`;

/** The file with this content: a new entry, or the progress of an earlier import. Any other import of it fails from now on. */
export const openCdrFile = async (
  sql: Sql,
  file: { hash: Buffer; name: string; size: number },
): Promise<CdrFile> => {
  const { rows } = await sql.query<CdrFile>(
    `insert into cdr_files (content_hash, name, size_bytes, run_id, newest_at)
     values ($1, $2, $3, gen_random_uuid(), '-infinity')
     on conflict (content_hash) do update set name = excluded.name, run_id = excluded.run_id returning ${fileColumns}`,
    [file.hash, file.name, file.size],
  );
  const [row] = rows;
  if (!row) throw new Error('The file could not be registered');
  return row;
};

export interface Progress {
  fileId: number;
  runId: string;
  fromBytes: number;
  toBytes: number;
  toLines: number;
  accepted: number;
  duplicate: number;
  refused: number;
  /** The latest end of the records, milliseconds; null without records. */
  newestAt: number | null;
}

/** Fails the transaction if another import has taken over the file. */
export const advanceCdrFile = (client: Pick<pg.ClientBase, 'query'>, progress: Progress): Promise<unknown> =>
  client.query({
    name: 'usage-move-file',
    text: `with moved as (
             update cdr_files set done_bytes = $3, done_lines = $4, accepted = accepted + $5,
               duplicate = duplicate + $6, refused = refused + $7,
               newest_at = greatest(newest_at, to_timestamp($9::float8 / 1000))
             where id = $1 and done_bytes = $2 and run_id = $8 returning 1)
           select expect_rows('progress of the file', (select count(*) from moved), 1)`,
    values: [
      progress.fileId,
      progress.fromBytes,
      progress.toBytes,
      progress.toLines,
      progress.accepted,
      progress.duplicate,
      progress.refused,
      progress.runId,
      progress.newestAt,
    ],
  });

/** Progress of the file. */
export const getCdrFile = async (sql: Sql, fileId: number): Promise<CdrFile> => {
  const { rows } = await sql.query<CdrFile>(`select ${fileColumns} from cdr_files where id = $1`, [fileId]);
  const [row] = rows;
  if (!row) throw new Error('The file is gone');
  return row;
};

/**
 * Takes the lock of one chunk of a file until the transaction ends; a transaction that takes the previous chunk's
 * lock waits until that chunk has been written. The three locks rotate: while a chunk still waits for the previous
 * one, the next one may have begun.
 */
export const lockTurn = async (tx: Sql, fileId: number, turn: number): Promise<void> => {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `usage.cdr-file:${fileId}:${turn % 3}`,
  ]);
};

/** The current organisations of SIMs; with `locked`, their rows are locked until the transaction ends. */
export const findOwners = async (
  tx: Sql,
  simIds: readonly number[],
  { locked }: { locked: boolean },
): Promise<ReadonlyMap<number, number>> => {
  const { rows } = await tx.query<{ simId: number; orgId: number }>(
    `select sim_id as "simId", org_id as "orgId" from sim_live where sim_id = any($1::bigint[])
     order by sim_id ${locked ? 'for no key update' : ''}`,
    [int8Column(simIds, (simId) => simId)],
  );
  return new Map(rows.map(({ simId, orgId }) => [simId, orgId]));
};

export const finishCdrFile = async (sql: Sql, fileId: number): Promise<CdrFile> => {
  const { rows } = await sql.query<CdrFile>(
    `update cdr_files set finished_at = coalesce(finished_at, now()) where id = $1 returning ${fileColumns}`,
    [fileId],
  );
  const [row] = rows;
  if (!row) throw new Error('The file is gone');
  return row;
};

export const insertRefusals = async (
  client: Pick<pg.ClientBase, 'query'>,
  fileId: number,
  refusals: readonly Refusal[],
): Promise<void> => {
  if (refusals.length === 0) return;
  await client.query(
    `insert into cdr_file_refusals (file_id, line, reason)
     select $1, * from unnest($2::bigint[], $3::text[]) on conflict do nothing`,
    [fileId, int8Column(refusals, (row) => row.line), textColumn(refusals, (row) => row.reason)],
  );
};

export const listRefusals = async (sql: Sql, fileId: number, limit: number): Promise<Refusal[]> =>
  (
    await sql.query<Refusal>(
      'select line, reason from cdr_file_refusals where file_id = $1 order by line limit $2',
      [fileId, limit],
    )
  ).rows;

/** Finds SIMs by ICCID, IMSI and MSISDN. */
export const findSims = async (
  sql: Sql,
  identifiers: { iccids: readonly string[]; imsis: readonly string[]; msisdns: readonly string[] },
): Promise<(ResolvedSim & { iccid: string; imsi: string; msisdn: string | null })[]> => {
  const by = (kind: 'iccid' | 'imsi' | 'msisdn', parameter: string) => `
    select s.id as "simId", l.org_id as "orgId", s.iccid, s.imsi, s.msisdn, b.reset_cycle as "resetCycle",
      (extract(epoch from ${countsSince}) * 1000)::float8 as "activatedAt"
    from ${simsBy(kind)} i join sims s on s.id = i.sim_id join sim_live l on l.sim_id = s.id
    left join bundles b on b.id = s.bundle_id
    left join lateral (select activated_at from bundle_orders
      where sim_id = s.id and bundle_id = s.bundle_id and status = 'in use' order by id limit 1) o on true
    where i.value = any(${parameter}::text[])`;
  const { rows } = await sql.query(
    `${by('iccid', '$1')} union ${by('imsi', '$2')} union ${by('msisdn', '$3')}`,
    [identifiers.iccids, identifiers.imsis, identifiers.msisdns],
  );
  return rows;
};

const cdrColumns = [
  'sim_id',
  'ended_at',
  'dedupe_key',
  'started_at',
  'org_id',
  'plmn',
  'up_bytes',
  'down_bytes',
  'session_key',
  'radio',
  'source',
  'apn',
  'cell',
];
const fromFile = 2;

/** Inserts all records or none: an existing one fails by its key (23505), and the caller finds out which. */
export const insertCdrs = (
  client: pg.ClientBase,
  { columns, texts, owners, sims, order }: Chunk,
): Promise<void> => {
  if (order.length === 0) return Promise.resolve();
  const textOf = (number: number): Buffer | null => texts[number] ?? null;
  return copyRows(client, {
    table: 'cdrs',
    columns: cdrColumns,
    rows: order,
    write: (place, to) => {
      const sim = sims[owners[place] as number] as ResolvedSim;
      to.int8(sim.simId);
      to.timestamp(columns.endedAt[place] as number);
      to.int8(columns.key[place] as number);
      to.timestamp(columns.startedAt[place] as number);
      to.int8(sim.orgId);
      to.int4(columns.plmn[place] as number);
      to.int8(columns.up[place] as number);
      to.int8(columns.down[place] as number);
      const session = columns.session[place] as number;
      if (session < 0) to.null();
      else to.int8(session);
      to.int2(columns.radio[place] as number);
      to.int2(fromFile);
      to.text(textOf(columns.apn[place] as number));
      to.text(textOf(columns.cell[place] as number));
    },
  });
};

/** Positions, in the chunk's order, of the records that are already stored. */
export const findStoredCdrs = async (
  sql: Sql,
  { columns, owners, sims, order }: Chunk,
): Promise<ReadonlySet<number>> => {
  const places = [...order];
  const found = await sql.query<{ place: number }>(
    `select (v.place - 1)::integer as place
     from unnest($1::bigint[], $2::timestamptz[], $3::bigint[]) with ordinality
       as v (sim_id, ended_at, dedupe_key, place)
     join cdrs c on c.sim_id = v.sim_id and c.ended_at = v.ended_at and c.dedupe_key = v.dedupe_key`,
    [
      int8Column(places, (place) => sims[owners[place] as number]?.simId ?? null),
      timestampColumn(places, (place) => columns.endedAt[place] as number),
      int8Column(places, (place) => columns.key[place] as number),
    ],
  );
  return new Set(found.rows.map(({ place }) => places[place] as number));
};
