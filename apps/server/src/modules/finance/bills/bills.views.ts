import { limits } from '@simcube/contract';
import type { Bill, BillState, BillType, billSorts } from '@simcube/contract/finance';
import { sql } from 'kysely';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import { amountDueMinor, billNumber, groupsOf, stateOf } from '../bill.rules.ts';
import { shortfallMinor } from '../deposits.rules.ts';

interface BillFilter {
  search?: string | undefined;
  month?: string | undefined;
  type?: readonly BillType[] | undefined;
  state?: readonly BillState[] | undefined;
  replaced?: boolean | undefined;
}

const ofOrg = {
  tables: [
    {
      name: 'bills',
      from: () => sql`bills b`,
      inScope: ({ scope }: { scope: { orgId: number } }) => sql<boolean>`org_id = ${scope.orgId}`,
    },
  ],
  key: { column: 'id', type: 'integer', descending: true },
  countLimit: limits.countedTotal,
  select: sql`id`,
  show: (rows: readonly { id: number }[]) => rows.map(({ id }) => id),
} as const;

const byMonth = { column: 'month_on', type: 'date' } as const;

/** The bills of a settlement customer; the caller adds the figures. */
export const billList: List<
  { orgId: number },
  BillFilter,
  { id: number },
  number,
  (typeof billSorts)[number]
> = {
  ...ofOrg,
  name: 'finance.bills',
  sorts: { month: byMonth, amount: { column: 'total_minor', type: 'integer' } },
  order: '-month',
  filters: {
    search: (part) =>
      sql<boolean>`strpos('BILL-' || to_char(month_on, 'YYYY-MM') || '-' || lpad(serial::text, greatest(5, length(serial::text)), '0'), upper(${part})) > 0`,
    month: (month) => sql<boolean>`month_on = ${`${month}-01`}`,
    type: (types) => sql<boolean>`type = any(${types})`,
    state: (states, { now }) => {
      const today = dashboardDays.dayOf(now);
      return sql<boolean>`case when status <> 'published' then status
        when due_on < ${today}::date then 'expired' else 'issued' end = any(${states})`;
    },
    replaced: (includesReplaced) =>
      includesReplaced ? sql<boolean>`true` : sql<boolean>`status <> 'obsolete'`,
  },
};

/** All versions of a bill. */
export const versionList: List<{ orgId: number; serial: number }, object, { id: number }, number> = {
  ...ofOrg,
  name: 'finance.versions',
  tables: [
    {
      name: 'bills',
      from: () => sql`bills b`,
      inScope: ({ scope }) => sql<boolean>`org_id = ${scope.orgId} and serial = ${scope.serial}`,
    },
  ],
  order: [],
  filters: {},
};

interface BillColumns {
  id: number;
  serial: number;
  version: number;
  month: string;
  type: BillType;
  status: Bill['status'];
  code: string;
  name: string;
  currency: string;
  total_minor: number;
  paid_minor: number;
  computed_at: Date;
  issued_at: Date | null;
  due_on: string | null;
  paid_on: string | null;
  credit_limit_minor: number | null;
  credit_left_minor: number | null;
  opening_minor: number | null;
  top_up_minor: number | null;
  deposit_minor: number | null;
  kinds: Parameters<typeof groupsOf>[0];
}

/** Bills of a settlement customer by id, in that order, with their figures. */
export const findBills = async (
  db: Sql,
  { orgId, ids, now }: { orgId: number; ids: readonly number[]; now: Date },
): Promise<Bill[]> => {
  const { rows } = await db.query<BillColumns>(
    `select b.id, b.serial, b.version, to_char(b.month_on, 'YYYY-MM') as month, b.type, b.status,
       coalesce(p.code, o.code) as code, coalesce(p.name, o.name) as name,
       b.currency, b.total_minor, b.computed_at, b.issued_at, b.due_on::text, b.paid_on::text, b.credit_limit_minor,
       b.credit_left_minor, b.opening_minor, b.top_up_minor,
       (select coalesce(sum(amount_minor), 0)::int8 from bill_payments where serial = b.serial) as paid_minor,
       case when b.type = 'predeposit' then case b.status when 'draft' then b.opening_minor + b.top_up_minor
         when 'published' then (b.total_minor - ${shortfallMinor})::int8 end end as deposit_minor,
       (select coalesce(json_agg(k), '[]') from (
          select kind, corrects_on is not null as corrects, sum(amount_minor)::int8 as amount_minor
          from bill_lines where bill_id = b.id group by 1, 2) as k) as kinds
     from bills b join organisations o on o.id = b.org_id left join bill_parties p on p.bill_id = b.id and p.org_id = b.org_id
     where b.org_id = $1 and b.id = any($2::bigint[])`,
    [orgId, ids],
  );
  const today = dashboardDays.dayOf(now);
  const byId = new Map(rows.map((row) => [row.id, toBill(row, today)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

const toBill = (
  { id, serial, code, name, kinds, deposit_minor, ...row }: BillColumns,
  today: string,
): Bill => ({
  ...row,
  id: String(id),
  number: billNumber({ month: row.month, serial }),
  state: stateOf({ status: row.status, dueOn: row.due_on }, today),
  settlement_customer: { code, name },
  to_pay_minor: amountDueMinor({ ...row, deposit_minor }),
  groups: groupsOf(kinds),
  computed_at: row.computed_at.toISOString(),
  issued_at: row.issued_at?.toISOString() ?? null,
  closing_minor:
    row.opening_minor === null ? null : row.opening_minor + (row.top_up_minor ?? 0) - row.total_minor,
});

export interface OwnBill {
  id: number;
  serial: number;
  version: number;
  number: string;
  currency: string;
  status: Bill['status'];
  reason: string | null;
}

/** A bill of the settlement customer; undefined if it is another's. */
export const findOwnBill = async (
  db: Sql,
  { orgId, id }: { orgId: number; id: number },
): Promise<OwnBill | undefined> => {
  const { rows } = await db.query<Omit<OwnBill, 'number'> & { month: string }>(
    `select id, serial, version, currency, status, reissue_reason as reason, to_char(month_on, 'YYYY-MM') as month
     from bills where id = $1 and org_id = $2`,
    [id, orgId],
  );
  return rows[0] && { ...rows[0], number: billNumber(rows[0]) };
};

/** What a version replaced, and the payments of the bill. */
export const findVersionHistory = async (db: Sql, { serial, version }: OwnBill) => {
  const { rows: before } = await db.query<{
    id: number;
    version: number;
    total_minor: number;
    issued_at: Date;
  }>('select id, version, total_minor, issued_at from bills where serial = $1 and version = $2', [
    serial,
    version - 1,
  ]);
  const { rows: payments } = await db.query<{ paid_on: string; amount_minor: number; reference: string }>(
    `select paid_on::text, amount_minor, reference from bill_payments where serial = $1
     order by bill_payments.paid_on desc, id desc limit ${limits.page.maxByApi}`,
    [serial],
  );
  return { before: before[0], payments };
};
