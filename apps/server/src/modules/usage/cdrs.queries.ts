import {
  int2Column,
  int4Column,
  int8Column,
  rowsOf,
  type Sql,
  type Statement,
  textColumn,
  timestampColumn,
} from '../../platform/db/index.ts';

/** Usage reported to intake; times are milliseconds. */
export interface CdrRow {
  simId: number;
  orgId: number;
  startedAt: number;
  endedAt: number;
  dedupeKey: number;
  sessionKey: number;
  up: number;
  down: number;
  plmn: number;
  radio: number;
  apn: string | null;
  cell: string | null;
}

const cdrColumns = {
  sim_id: 'bigint',
  ended_at: 'timestamptz',
  dedupe_key: 'bigint',
  started_at: 'timestamptz',
  org_id: 'bigint',
  plmn: 'integer',
  up_bytes: 'bigint',
  down_bytes: 'bigint',
  session_key: 'bigint',
  radio: 'smallint',
  apn: 'text',
  cell: 'text',
} as const;

/** An existing record fails by its key, so nothing is counted twice. */
const insertCdrs = `
  insert into cdrs (${Object.keys(cdrColumns).join(', ')}, source) select v.*, 1 from ${rowsOf(cdrColumns)} as v`;

const insertName = 'usage-insert-cdrs';

export const addCdrs = (cdrs: readonly CdrRow[]): Statement[] => {
  if (cdrs.length === 0) return [];
  const rows = [...cdrs].sort((a, b) => a.simId - b.simId);
  const values = [
    int8Column(rows, (row) => row.simId),
    timestampColumn(rows, (row) => row.endedAt),
    int8Column(rows, (row) => row.dedupeKey),
    timestampColumn(rows, (row) => row.startedAt),
    int8Column(rows, (row) => row.orgId),
    int4Column(rows, (row) => row.plmn),
    int8Column(rows, (row) => row.up),
    int8Column(rows, (row) => row.down),
    int8Column(rows, (row) => row.sessionKey),
    int2Column(rows, (row) => row.radio),
    textColumn(rows, (row) => row.apn),
    textColumn(rows, (row) => row.cell),
  ];
  return [{ name: insertName, text: insertCdrs, values }];
};

/** Changes a statement that adds records so that it skips existing ones. */
export const skippingDuplicates = (statement: Statement): Statement =>
  statement.name === insertName
    ? { ...statement, name: `${insertName}-skip-duplicates`, text: `${insertCdrs} on conflict do nothing` }
    : statement;

/** The unique key of a record. */
export const cdrKey = ({
  simId,
  endedAt,
  dedupeKey,
}: Pick<CdrRow, 'simId' | 'endedAt' | 'dedupeKey'>): string => `${simId} ${endedAt} ${dedupeKey}`;

/** The keys of those records that are already stored. */
export const findStoredKeys = async (sql: Sql, cdrs: readonly CdrRow[]): Promise<ReadonlySet<string>> => {
  const { rows } = await sql.query<{ place: number }>(
    `select v.place::integer as place from unnest($1::bigint[], $2::timestamptz[], $3::bigint[]) with ordinality
       as v (sim_id, ended_at, dedupe_key, place)
     join cdrs c on c.sim_id = v.sim_id and c.ended_at = v.ended_at and c.dedupe_key = v.dedupe_key`,
    [
      int8Column(cdrs, (row) => row.simId),
      timestampColumn(cdrs, (row) => row.endedAt),
      int8Column(cdrs, (row) => row.dedupeKey),
    ],
  );
  return new Set(rows.flatMap(({ place }) => (cdrs[place - 1] ? [cdrKey(cdrs[place - 1] as CdrRow)] : [])));
};
