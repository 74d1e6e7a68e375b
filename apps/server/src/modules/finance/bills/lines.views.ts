import { limits } from '@simcube/contract';
import type {
  BillExtract,
  BillLine,
  BillLineKind,
  BillSim,
  BillUnit,
  billSimSorts,
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

const named = (of: string) =>
  `case when ${of}_code is not null then json_build_object('code', ${of}_code, 'name', ${of}_name) end as ${of}`;

const lineColumns = `line, kind, to_char(corrects_on, 'YYYY-MM') as corrects, quantity, unit, bytes, price_micros, amount_minor,
  ${named('bundle')}, ${named('zone')},
  case when pool_id is not null then json_build_object('id', pool_id::text, 'name', pool_name) end as pool,
  json_build_object('code', tariff_code, 'name', tariff_name, 'starts_on', tariff_starts_on) as tariff,
  (select json_build_object('code', o.code, 'name', o.name) from organisations o where o.id = org_id) as organisation`;

/** The lines of a bill by section, and within it as they were made. */
export const lineList: List<{ billId: number }, object, LineColumns, BillLine> = {
  name: 'finance.lines',
  tables: [
    {
      name: 'lines',
      from: () => sql`bill_lines n`,
      own: ({ scope }) => sql<boolean>`bill_id = ${scope.billId}`,
    },
  ],
  key: { column: 'line', type: 'integer' },
  order: [{ column: 'org_id', type: 'integer' }],
  filters: {},
  counted: limits.countedTotal,
  select: sql`${sql.raw(lineColumns)},
    (select sum(w.amount_minor)::int8 from bills b
     join bills v on v.serial = b.serial and v.version = b.version - 1 join bill_lines w on w.bill_id = v.id
     where b.id = n.bill_id and (w.org_id, w.kind) = (n.org_id, n.kind)
       and (w.bundle_code, w.zone_code, w.pool_id, w.pool_cycle_at, w.corrects_on)
         is not distinct from (n.bundle_code, n.zone_code, n.pool_id, n.pool_cycle_at, n.corrects_on)) as before_minor`,
  show: (rows) => rows.map((row) => ({ ...row, group: groupOf(row) })),
};

/** So many lines of a bill at most in the same order, of which each stands for itself. */
export const listLines = async (
  db: Sql,
  { billId, most }: { billId: number; most: number },
): Promise<Omit<BillLine, 'before_minor'>[]> => {
  const { rows } = await db.query<Omit<LineColumns, 'before_minor'>>(
    `select ${lineColumns} from bill_lines n where bill_id = $1 order by org_id, line limit $2`,
    [billId, most],
  );
  return rows.map((row) => ({ ...row, group: groupOf(row) }));
};

/** What the sections of a bill come to, by group; so many rows at most. */
export const readExtract = async (db: Sql, billId: number): Promise<BillExtract[]> => {
  const { rows } = await db.query<{
    code: string;
    name: string;
    lines: number;
    kinds: Parameters<typeof groupsOf>[0];
  }>(
    `select o.code, o.name, json_agg(k) as kinds from (
       select org_id, kind, corrects_on is not null as corrects, count(*)::int as lines, sum(amount_minor)::int8 as amount_minor
       from bill_lines where bill_id = $1 group by 1, 2, 3) as k join organisations o on o.id = k.org_id
     group by o.id, o.code, o.name order by o.id limit ${limits.bills.sections}`,
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

interface SimColumns {
  sim_id: number;
  iccid: string;
  device_name: string | null;
  amount_micros: number;
}

/** What each SIM is of a bill; its charges are read for those that are shown. */
export const simList: List<
  { billId: number },
  { line?: number | undefined; search?: string | undefined },
  SimColumns,
  BillSim,
  (typeof billSimSorts)[number]
> = {
  name: 'finance.sims',
  tables: [
    {
      name: 'sims',
      from: () => sql`bill_sims m`,
      own: ({ scope }) => sql<boolean>`bill_id = ${scope.billId}`,
    },
  ],
  key: { column: 'sim_id', type: 'integer' },
  sorts: { amount: { column: 'amount_micros', type: 'integer' } },
  order: [],
  filters: {
    line: (line, { scope }) =>
      sql<boolean>`sim_id in (select c.sim_id from bill_charges c where c.bill_id = ${scope.billId} and c.line = ${line})`,
    search: (number) =>
      sql<boolean>`sim_id in (select s.id from sims s where s.iccid = ${number} or s.imsi = ${number} or s.msisdn = ${number})`,
  },
  counted: limits.countedTotal,
  select: sql`sim_id, (select s.iccid from sims s where s.id = sim_id) as iccid,
    (select s.device_name from sims s where s.id = sim_id) as device_name, amount_micros`,
  show: async (rows, { db, scope, filter }) => {
    const { rows: charges } = await sql<
      Omit<BillSim['charges'][number], 'cycle_started_at'> & { sim_id: number; cycle_started_at: Date }
    >`select c.sim_id, c.line, c.cycle_started_at, c.quantity, c.bytes, c.quantity * n.price_micros as amount_micros
      from bill_charges c join bill_lines n on n.bill_id = c.bill_id and n.line = c.line
      where c.bill_id = ${scope.billId} and c.sim_id = any(${rows.map(({ sim_id }) => sim_id)}::bigint[])
        and (${filter.line ?? null}::integer is null or c.line = ${filter.line ?? null})
      order by c.cycle_started_at, c.line`.execute(db);
    return rows.map(({ sim_id: id, iccid, device_name, amount_micros }) => ({
      iccid,
      device_name,
      amount_micros,
      charges: charges
        .filter(({ sim_id }) => sim_id === id)
        .map(({ sim_id: _, ...charge }) => ({
          ...charge,
          cycle_started_at: charge.cycle_started_at.toISOString(),
        })),
    }));
  },
};
