import type { Language } from '@simcube/contract';
import type { Amount } from '@simcube/contract/price';
import {
  chipGrades,
  connections,
  type DataState,
  lifecycleNumbers,
  lifecycles,
  lifecyclesWithData,
  type SimSelection,
  technologies,
} from '@simcube/contract/sim';
import { phrase } from '@simcube/phrases';
import { sql } from 'kysely';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { csvTextSql } from '../../../platform/csv/index.ts';
import type { Db, Sql } from '../../../platform/db/index.ts';
import { matchingIds } from '../ordering/selection.views.ts';
import { radioNames } from '../radio-names.ts';
import { caseVariants, connectionNumbers } from '../sim.rules.ts';
import { decimalOf } from '../sim.views.ts';
import type { Fragment, SimScope } from '../sim-scope.views.ts';
import { simsBy } from '../sims-by.rules.ts';

export interface ExportQuery {
  db: Db;
  scope: SimScope;
  selection: SimSelection;
  limit: number;
  now: Date;
}

const selectedIds = async (query: ExportQuery): Promise<Fragment> => {
  const { selection, scope, limit } = query;
  if ('filter' in selection) return matchingIds(query, selection);
  return sql`select s.id from ${sql.raw(simsBy('iccid'))} i join sims s on s.id = i.sim_id
    where i.value = any(${selection.iccids.flatMap(caseVariants)}::text[]) and ${scope.sims} limit ${limit}`;
};

export const countSelected = async (query: ExportQuery): Promise<number> => {
  const ids = await selectedIds(query);
  const { rows } = await sql<{ count: number }>`select count(*) from (${ids}) as selected`.execute(query.db);
  return rows[0]?.count ?? 0;
};

export interface ExportedSim {
  id: number;
  iccid: string;
}

/** The SIMs to export, in their order. */
export const selectForExport = async (query: ExportQuery): Promise<ExportedSim[]> => {
  const ids = await selectedIds(query);
  const { rows } = await sql<ExportedSim>`
    select s.id, s.iccid from sims s where s.id in (${ids}) order by s.iccid`.execute(query.db);
  return rows;
};

const literal = pg.escapeLiteral;

/** A stored number or name as a word that people read. */
const labelCase = (
  column: string,
  labels: readonly (readonly [value: number | string, word: string])[],
): string =>
  `case ${column} ${labels
    .map(
      ([value, label]) => `when ${typeof value === 'number' ? value : literal(value)} then ${literal(label)}`,
    )
    .join(' ')} end`;

export interface ColumnOptions {
  language: Language;
  timeZone: string;
  now: Date;
  /** Whether text that a spreadsheet would run as a formula is neutralised. */
  neutraliseFormulas: boolean;
}

/**
 * Headings and columns of the file, in order. No values from callers are written into the SQL: only phrases and
 * a known time zone.
 */
export const exportColumns = ({
  language,
  timeZone,
  now,
  neutraliseFormulas,
}: ColumnOptions): { heading: string; sql: string }[] => {
  const heading = (column: Parameters<typeof columnHeading>[1]) => columnHeading(language, column);
  const text = (column: string): string => (neutraliseFormulas ? csvTextSql(column) : column);
  const time = (column: string): string =>
    `to_char(${column} at time zone ${literal(timeZone)}, 'YYYY-MM-DD HH24:MI:SS')`;
  const timeHeading = (column: Parameters<typeof columnHeading>[1]) => `${heading(column)} (${timeZone})`;
  return [
    { heading: heading('iccid'), sql: 's.iccid' },
    { heading: heading('imsi'), sql: 's.imsi' },
    { heading: heading('msisdn'), sql: 's.msisdn' },
    { heading: heading('imei'), sql: 's.last_imei' },
    { heading: heading('device_name'), sql: text('s.device_name') },
    { heading: heading('notes'), sql: text('s.notes') },
    { heading: heading('tags'), sql: text(`array_to_string(s.tags, '; ')`) },
    {
      heading: heading('lifecycle'),
      sql: labelCase(
        's.lifecycle',
        lifecycles.map((one) => [lifecycleNumbers[one], phrase(language, `sim.lifecycle.${one}`)]),
      ),
    },
    {
      heading: heading('connection'),
      sql: labelCase(
        'l.connection',
        connections.map((one) => [connectionNumbers[one], phrase(language, `sim.connection.${one}`)]),
      ),
    },
    { heading: heading('country'), sql: 'n.country' },
    { heading: heading('operator'), sql: text('n.operator') },
    {
      heading: heading('radio'),
      sql: labelCase(
        'l.radio',
        radioNames(language).map((name, index) => [index + 1, name]),
      ),
    },
    { heading: heading('apn'), sql: text('s.apn') },
    { heading: heading('ip'), sql: 'host(coalesce(l.ip, s.fixed_ip))' },
    { heading: timeHeading('last_session'), sql: time('l.last_session_at') },
    { heading: heading('cycle_usage'), sql: 'l.used_bytes' },
    { heading: heading('limit'), sql: 'l.limit_bytes' },
    {
      heading: phrase(language, 'files.columns.cost'),
      sql: neutraliseFormulas ? 'e.cost' : 'e.cost::float8',
    },
    { heading: phrase(language, 'files.columns.currency'), sql: 'e.currency' },
    { heading: heading('bundle'), sql: text('b.name') },
    { heading: timeHeading('activated'), sql: time('s.activated_at') },
    { heading: timeHeading('expires'), sql: time('s.expires_at') },
    { heading: heading('delivery_note'), sql: text('s.delivery_note_number') },
    { heading: heading('shipment'), sql: `to_char(s.shipment_on, 'YYYY-MM-DD')` },
    {
      heading: heading('chip_grade'),
      sql: labelCase(
        's.chip_grade',
        chipGrades.map((one) => [one, phrase(language, `sim.chipGrade.${one}`)]),
      ),
    },
    {
      heading: heading('technology'),
      sql: labelCase(
        's.technology',
        technologies.map((one) => [one, phrase(language, `sim.technology.${one}`)]),
      ),
    },
    { heading: heading('data'), sql: dataLabel(language, now) },
    {
      heading: phrase(language, 'sim.filters.sms'),
      sql: `case when s.sms_suspended then ${literal(phrase(language, 'sim.filters.smsSuspended'))}
        else ${literal(phrase(language, 'sim.filters.smsOpen'))} end`,
    },
  ];
};

/** The state of the data of a SIM that may use it, from the functions that also maintain what lists find it by. */
const dataLabel = (language: Language, now: Date): string => {
  const at = `${literal(now.toISOString())}::timestamptz`;
  const word = (state: DataState): string => literal(phrase(language, `sim.data.states.${state}`));
  const numbers = lifecyclesWithData.map((one) => lifecycleNumbers[one]);
  return `case when s.lifecycle not in (${numbers.join(', ')}) then null
    when data_stopped_until(l.data_state, l.cycle_ends_at, l.pool_stopped_until, l.held_until, l.held_kbps) > ${at}
      then ${word('stopped')}
    when data_slowed_until(l.data_state, l.rate_kbps, l.cycle_ends_at, l.held_until, l.held_kbps) > ${at}
      then ${word('slowed')}
    else ${word('open')} end`;
};

const columnHeading = (
  language: Language,
  column:
    | 'iccid'
    | 'imsi'
    | 'msisdn'
    | 'imei'
    | 'device_name'
    | 'notes'
    | 'tags'
    | 'lifecycle'
    | 'connection'
    | 'data'
    | 'country'
    | 'operator'
    | 'radio'
    | 'apn'
    | 'ip'
    | 'last_session'
    | 'cycle_usage'
    | 'limit'
    | 'bundle'
    | 'activated'
    | 'expires'
    | 'delivery_note'
    | 'shipment'
    | 'chip_grade'
    | 'technology',
): string => phrase(language, `sim.columns.${column}`);

/** Few enough that the database looks up each SIM by its id, however many SIMs exist, and sorts in memory. */
export const exportBatchSize = 2000;

const rowsQuery = (columns: readonly { sql: string }[], [ids, costs, currencies]: RowValues): string => `
  select ${columns.map((column) => column.sql).join(', ')}
  from unnest(${ids}::bigint[], ${costs}::numeric[], ${currencies}::text[])
    with ordinality as e (sim_id, cost, currency, position)
    join sims s on s.id = e.sim_id join sim_live l on l.sim_id = s.id
    left join networks n on n.plmn = l.plmn left join bundles b on b.id = s.bundle_id
  order by e.position`;

/** Ids of SIMs, the costs of their cycles, and the currencies. */
type RowValues = [ids: string, costs: string, currencies: string];

interface ExportBatch {
  columns: readonly { sql: string }[];
  sims: readonly (ExportedSim & { cost: Amount | null })[];
}

const valuesOf = (sims: ExportBatch['sims']): RowValues => {
  const list = (texts: readonly string[]): string => `{${texts.join(',')}}`;
  return [
    list(sims.map(({ id }) => String(id))),
    list(sims.map(({ cost }) => (cost ? decimalOf(cost) : 'null'))),
    list(sims.map(({ cost }) => cost?.currency ?? 'null')),
  ];
};

/** SIMs as lines of CSV, written by the database itself. COPY takes no parameters: values are written into its text. */
export const copyLines = (client: pg.PoolClient, { columns, sims }: ExportBatch): AsyncIterable<Buffer> => {
  const [ids, costs, currencies] = valuesOf(sims);
  const query = rowsQuery(columns, [literal(ids), literal(costs), literal(currencies)]);
  return client.query(copyTo(`copy (${query}) to stdout with (format csv)`));
};

/** The same as rows of cells. */
export const readRows = async (
  tx: Sql,
  { columns, sims }: ExportBatch,
): Promise<(string | number | null)[][]> =>
  (
    await tx.query<(string | number | null)[]>({
      text: rowsQuery(columns, ['$1', '$2', '$3']),
      values: valuesOf(sims),
      rowMode: 'array',
    })
  ).rows;

const invalidTimeZone = '22023';

/** The database knows the time zones of its own release: an unknown one is shown as UTC. */
export const supportedTimeZone = async (db: Sql, timeZone: string): Promise<string> => {
  try {
    await db.query('select now() at time zone $1', [timeZone]);
    return timeZone;
  } catch (error) {
    if ((error as { code?: string }).code === invalidTimeZone) return 'UTC';
    throw error;
  }
};
