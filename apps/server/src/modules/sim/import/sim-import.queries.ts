import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { lifecycleNumbers, type SimImportRow } from '@simcube/contract/sim';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Sql } from '../../../platform/db/index.ts';
import { caseVariants } from '../sim.rules.ts';
import { simsBy } from '../sims-by.rules.ts';
import { arrayText, countImportedTags } from '../tags/tags.queries.ts';
import type { KnownSim } from './sim-import.rules.ts';

/** Only one import writes at a time, so that no SIM appears between checking a chunk and writing it. */
export const lockImports = async (tx: Sql): Promise<void> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('sim.import', 0))`);
};

/** By the codes as given: letter case does not matter. */
export const findOrganisations = async (tx: Sql, codes: readonly string[]): Promise<Map<string, number>> => {
  const { rows } = await tx.query<{ code: string; id: number }>(
    `select given.code, o.id from unnest($1::text[]) as given (code)
       join organisations o on lower(o.code) = lower(given.code)
     order by o.id for key share of o`,
    [codes],
  );
  return new Map(rows.map(({ code, id }) => [code, id]));
};

/** The SIMs that have any of the rows' identifiers. */
export const findKnownSims = async (tx: Sql, rows: readonly SimImportRow[]): Promise<KnownSim[]> => {
  const found = await tx.query<KnownSim>(
    `with named as (
       select sim_id from ${simsBy('iccid')} i where value = any($1::text[])
       union select sim_id from ${simsBy('imsi')} i where value = any($2::text[])
       union select sim_id from ${simsBy('msisdn')} i where value = any($3::text[]))
     select s.iccid, s.imsi, s.org_id as "orgId", s.msisdn, s.delivery_note_number, s.shipment_on, s.chip_grade,
       s.technology, s.apn, host(s.fixed_ip) as ip
     from named join sims s on s.id = named.sim_id`,
    [
      rows.flatMap((row) => caseVariants(row.iccid)),
      rows.map((row) => row.imsi),
      rows.flatMap((row) => (row.msisdn ? [row.msisdn] : [])),
    ],
  );
  return found.rows;
};

export interface NewSim {
  orgId: number;
  row: SimImportRow;
}

const stagingColumns = [
  'line int',
  'org_id bigint',
  'iccid text',
  'imsi text',
  'msisdn text',
  'last_imei text',
  'device_name text',
  'notes text',
  'tags text[]',
  'delivery_note_number text',
  'shipment_on date',
  'chip_grade text',
  'technology text',
  'lifecycle smallint',
  'apn text',
  'fixed_ip inet',
  'pre_activation_ends_at timestamptz',
];

const simColumns = stagingColumns
  .slice(1)
  .map((column) => column.split(' ')[0])
  .join(', ');

/**
 * Writes new SIMs with their live state and counts: they are copied to a temporary staging table, then inserted
 * by one statement.
 * @returns how many each organisation got, and which of them have a pre-activation that ends
 */
export const insertSims = async (
  tx: pg.PoolClient,
  { sims, at }: { sims: readonly NewSim[]; at: Date },
): Promise<{ orgId: number; count: number; simIds: number[] }[]> => {
  await tx.query(
    `create temp table if not exists sim_import_rows (${stagingColumns.join(', ')}) on commit delete rows`,
  );
  await pipeline(Readable.from(copyLines(sims)), tx.query(copyFrom('copy sim_import_rows from stdin')));
  const { rows } = await tx.query<{ orgId: number; count: number; simIds: number[] }>(
    `with made as (
       insert into sims (${simColumns}, lifecycle_changed_at, activated_at)
       select ${simColumns}, $1,
         case when lifecycle in (${lifecycleNumbers.active}, ${lifecycleNumbers.paused}) then $1::timestamptz end
       from sim_import_rows order by line
       returning id, org_id, lifecycle, pre_activation_ends_at),
     live as (insert into sim_live (sim_id, org_id) select id, org_id from made),
     counted as (
       insert into org_sim_counts (org_id, lifecycle, sims)
       select org_id, lifecycle, count(*) from made group by 1, 2 order by 1, 2
       on conflict (org_id, lifecycle) do update set sims = org_sim_counts.sims + excluded.sims)
     select org_id as "orgId", count(*) as count, coalesce(array_agg(id::float8 order by id) filter (
       where lifecycle = ${lifecycleNumbers['pre-activated']} and pre_activation_ends_at is not null), '{}') as "simIds"
     from made group by 1 order by 1`,
    [at],
  );
  await countImportedTags(tx, 'sim_import_rows');
  return rows;
};

/**
 * Corrects SIMs whose shipment was earlier than their import says.
 * @returns their ids, by ICCID
 */
export const backdateSims = async (
  tx: Sql,
  sims: readonly { iccid: string; shippedAt: Date }[],
): Promise<Map<string, number>> => {
  const { rows } = await tx.query<{ iccid: string; id: number }>(
    `update sims s set created_at = t.shipped_at, lifecycle_changed_at = t.shipped_at
     from unnest($1::text[], $2::timestamptz[]) as t (iccid, shipped_at) join ${simsBy('iccid')} i on i.value = t.iccid
     where s.id = i.sim_id
     returning s.iccid, s.id`,
    [sims.map(({ iccid }) => iccid), sims.map(({ shippedAt }) => shippedAt)],
  );
  return new Map(rows.map(({ iccid, id }) => [iccid, id]));
};

/** Rows of the staging table in COPY's text format, some hundred per piece. */
function* copyLines(sims: readonly NewSim[]): Generator<string> {
  let text = '';
  for (const [line, { orgId, row }] of sims.entries()) {
    const cells = [
      line,
      orgId,
      row.iccid,
      row.imsi,
      row.msisdn,
      row.imei,
      row.device_name,
      row.notes,
      arrayText(row.tags),
      row.delivery_note_number,
      row.shipment_on,
      row.chip_grade,
      row.technology,
      lifecycleNumbers[row.lifecycle],
      row.apn,
      row.ip,
      row.pre_activation_ends_at,
    ];
    text += `${cells.map(copyCell).join('\t')}\n`;
    if (text.length > 65_536) {
      yield text;
      text = '';
    }
  }
  yield text;
}

const copyCell = (value: string | number | null | undefined): string =>
  value === null || value === undefined
    ? '\\N'
    : String(value).replaceAll(/[\\\b\f\n\r\t\v]/g, (character) => copyEscapes[character] ?? character);

const copyEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};
