import { limits } from '@simcube/contract';
import {
  type BillExtract,
  type BillLine,
  type BillLineKind,
  type BillUnit,
  billGroups,
  billLineKinds,
} from '@simcube/contract/finance';
import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import { groupOf, groupsOf } from '../bill.rules.ts';

interface Named {
  code: string;
  name: string;
}

interface LineColumns {
  line: number;
  organisation: Named;
  kind: BillLineKind;
  corrects: string | null;
  bundle: Named | null;
  zone: Named | null;
  pool: { id: string; name: string } | null;
  tariff: Named & { starts_on: string };
  quantity: number;
  unit: BillUnit;
  bytes: number | null;
  price_micros: number;
  amount_minor: number;
  before_minor: number | null;
}

const namedColumn = (of: string) =>
  `case when ${of}_code is not null then json_build_object('code', ${of}_code, 'name', ${of}_name) end as ${of}`;

/** An organisation's name as stored with the bill, which is the only source once the organisation is deleted. */
const partyOf = (of: string): string => `(
  select coalesce(p.code, o.code, '') as code, coalesce(p.name, o.name, '') as name
  from (values (1)) as one left join bill_parties p on (p.bill_id, p.org_id) = (${of}.bill_id, ${of}.org_id)
  left join organisations o on o.id = ${of}.org_id)`;

const lineColumns = `line, kind, to_char(corrects_on, 'YYYY-MM') as corrects, quantity, unit, bytes, price_micros, amount_minor,
  ${namedColumn('bundle')}, ${namedColumn('zone')},
  case when pool_id is not null then json_build_object('id', pool_id::text, 'name', pool_name) end as pool,
  json_build_object('code', tariff_code, 'name', tariff_name, 'starts_on', tariff_starts_on) as tariff,
  (select json_build_object('code', p.code, 'name', p.name) from ${partyOf('n')} as p) as organisation`;

const isSameItem = (
  one: string,
  other: string,
): string => `(${one}.org_id, ${one}.kind) = (${other}.org_id, ${other}.kind)
  and (${one}.bundle_code, ${one}.zone_code, ${one}.pool_id, ${one}.pool_cycle_at, ${one}.corrects_on)
    is not distinct from (${other}.bundle_code, ${other}.zone_code, ${other}.pool_id, ${other}.pool_cycle_at, ${other}.corrects_on)`;
const hasSamePrice = (one: string, other: string): string =>
  `(${one}.tariff_version_id, ${one}.unit, ${one}.price_micros) = (${other}.tariff_version_id, ${other}.unit, ${other}.price_micros)`;

/**
 * The amount of a line (n) in the previous version: that of the line for the same item at the same price. A
 * former line without a counterpart in this version is compared with the first line for the same item that has
 * another price, or else the first one, so that each former line counts once.
 */
const beforeMinor = `(select sum(w.amount_minor)::int8 from bills b
  join bills v on v.serial = b.serial and v.version = b.version - 1 join bill_lines w on w.bill_id = v.id
  where b.id = n.bill_id and ${isSameItem('w', 'n')} and (${hasSamePrice('w', 'n')}
    or not exists (select from bill_lines x where x.bill_id = n.bill_id and ${isSameItem('x', 'n')} and ${hasSamePrice('x', 'w')})
      and n.line = (
        select x.line from bill_lines x where x.bill_id = n.bill_id and ${isSameItem('x', 'n')}
        order by exists (select from bill_lines y where y.bill_id = v.id and ${isSameItem('y', 'x')} and ${hasSamePrice('y', 'x')}),
          x.line limit 1)))`;

/** By kind of line, as a number in SQL. */
const byKind = (of: (kind: BillLineKind) => number): string =>
  `case kind ${billLineKinds.map((kind) => `when '${kind}' then ${of(kind)}`).join(' ')} end`;
const groupPosition = byKind((kind) => billGroups.indexOf(groupOf({ kind, corrects: null })));
const kindPosition = byKind((kind) => billLineKinds.indexOf(kind));

/** Lines with their sort keys within a section: group, for corrections the month, then the item. */
const orderedLines = `(
  select *, concat_ws(' ', case when corrects_on is null then ${groupPosition} else ${billGroups.indexOf('corrections')} end,
    corrects_on, bundle_name, pool_name, zone_name, ${kindPosition}) as place
  from bill_lines) as n`;

/** The lines of a bill by section, and within it by group, bundle, pool and zone. */
export const lineList: List<{ billId: number }, { line?: number | undefined }, LineColumns, BillLine> = {
  name: 'finance.lines',
  tables: [
    {
      name: 'lines',
      from: () => sql.raw(orderedLines),
      inScope: ({ scope }) => sql<boolean>`bill_id = ${scope.billId}`,
    },
  ],
  key: { column: 'line', type: 'integer' },
  order: [
    { column: 'org_id', type: 'integer' },
    { column: 'place', type: 'text' },
  ],
  filters: { line: (line) => sql<boolean>`line = ${line}` },
  countLimit: limits.countedTotal,
  select: sql`${sql.raw(`${lineColumns}, ${beforeMinor}`)} as before_minor`,
  show: (rows) => rows.map((row) => ({ ...row, group: groupOf(row) })),
};

/** At most this many lines of a bill, in the same order. */
export const listLines = async (
  db: Sql,
  { billId, limit }: { billId: number; limit: number },
): Promise<Omit<BillLine, 'before_minor'>[]> => {
  const { rows } = await db.query<Omit<LineColumns, 'before_minor'>>(
    `select ${lineColumns} from ${orderedLines} where bill_id = $1 order by org_id, place, line limit $2`,
    [billId, limit],
  );
  return rows.map((row) => ({ ...row, group: groupOf(row) }));
};

/** Totals of a bill's sections, by group; a limited number of rows. */
export const readExtract = async (db: Sql, billId: number): Promise<BillExtract[]> => {
  const { rows } = await db.query<{
    code: string;
    name: string;
    lines: number;
    kinds: Parameters<typeof groupsOf>[0];
  }>(
    `select p.code, p.name, json_agg(k) as kinds from (
       select bill_id, org_id, kind, corrects_on is not null as corrects, count(*)::int as lines, sum(amount_minor)::int8 as amount_minor
       from bill_lines where bill_id = $1 group by 1, 2, 3, 4) as k cross join lateral ${partyOf('k')} as p
     group by k.org_id, p.code, p.name order by k.org_id limit ${limits.bills.sections}`,
    [billId],
  );
  return rows.flatMap(({ code, name, kinds }) =>
    groupsOf(kinds).map(({ group, amount_minor }) => ({
      organisation: { code, name },
      group,
      lines: kinds
        .filter((one) => groupOf({ kind: one.kind, corrects: one.corrects ? '' : null }) === group)
        .reduce((sum, one) => sum + (one.lines ?? 0), 0),
      amount_minor,
    })),
  );
};
