import type { BillLineKind } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';
import { isCovered, lastPaymentOn } from '../deposits.rules.ts';

export interface StoredBill {
  id: number;
  serial: number;
  version: number;
  org_id: number;
  month: string;
  type: 'post-payment' | 'advance' | 'credit' | 'predeposit';
  currency: string;
  status: 'draft' | 'published' | 'obsolete' | 'paid';
  total_minor: number;
  held_reason: string | null;
}

const columns = `id, serial, version, org_id, to_char(month_on, 'YYYY-MM') as month, type, currency, status, total_minor,
  held_reason`;

export const findMonth = async (
  sql: Sql,
  serial: number,
): Promise<{ customerId: number; month: string } | undefined> =>
  (
    await sql.query<{ customerId: number; month: string }>(
      `select org_id as "customerId", to_char(month_on, 'YYYY-MM') as month from bills where serial = $1 limit 1`,
      [serial],
    )
  ).rows[0];

/**
 * Locks what covers a customer's bills: others that record payments or publish wait, and then see both. It is locked
 * after months and before published bills.
 */
export const lockPayments = async (tx: Sql, customerId: number): Promise<void> => {
  await tx.query('select from organisations where id = $1 for no key update', [customerId]);
};

/** The newest version of a bill, locked. */
export const lockBill = async (tx: Sql, serial: number): Promise<StoredBill | undefined> =>
  (
    await tx.query<StoredBill>(
      `select ${columns} from bills where serial = $1 order by version desc limit 1 for update`,
      [serial],
    )
  ).rows[0];

export const lockDrafts = async (
  tx: Sql,
  { customerId, month }: { customerId: number; month: string },
): Promise<StoredBill[]> =>
  (
    await tx.query<StoredBill>(
      `select ${columns} from bills where org_id = $1 and month_on = $2 and status = 'draft' order by id for update`,
      [customerId, `${month}-01`],
    )
  ).rows;

export const markPublished = async (
  tx: Sql,
  id: number,
  { at, dueOn }: { at: Date; dueOn: string },
): Promise<void> => {
  await tx.query(
    `update bills set status = 'published', issued_at = $2, due_on = $3, held_reason = null,
       payee = (select to_jsonb(p) - 'id' from bill_payee p)
     where id = $1`,
    [id, at, dueOn],
  );
};

export const markObsolete = async (tx: Sql, id: number): Promise<void> => {
  await tx.query("update bills set status = 'obsolete' where id = $1", [id]);
};

/** Holds a draft for a reason, or releases it permanently. */
export const setHold = async (tx: Sql, id: number, reason: string | null): Promise<void> => {
  await tx.query('update bills set held_reason = $2, released = $3 where id = $1', [
    id,
    reason,
    reason === null,
  ]);
};

/** Marks a published bill as paid once it is covered: on a day, or that of a later payment which was recorded before. */
export const markPaid = async (tx: Sql, id: number, day: string): Promise<void> => {
  await tx.query(
    `update bills b set status = 'paid', paid_on = greatest($2, ${lastPaymentOn})
     where id = $1 and status = 'published' and ${isCovered}`,
    [id, day],
  );
};

/** Marks a paid bill as unpaid if it is no longer covered, because a payment was taken back. */
export const markUnpaid = async (tx: Sql, id: number): Promise<void> => {
  await tx.query(
    `update bills b set status = 'published', paid_on = null where id = $1 and status = 'paid' and not ${isCovered}`,
    [id],
  );
};

/** Published and paid bills that are taken off a customer's deposit, the oldest first, locked. */
export const lockDepositBills = async (
  tx: Sql,
  { customerId, currency }: { customerId: number; currency: string },
): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(
      `select id from bills where org_id = $1 and currency = $2 and type = 'predeposit' and status in ('published', 'paid')
       order by month_on, id for update`,
      [customerId, currency],
    )
  ).rows.map(({ id }) => id);

export const findStatus = async (sql: Sql, id: number): Promise<StoredBill['status'] | undefined> =>
  (await sql.query<Pick<StoredBill, 'status'>>('select status from bills where id = $1', [id])).rows[0]
    ?.status;

export interface NewPayment {
  customerId: number;
  /** Null: paid into the deposit. */
  serial: number | null;
  currency: string;
  amount: bigint;
  paidOn: string;
  reference: string;
  at: Date;
}

/** @returns false if that reference was already recorded */
export const insertPayment = async (tx: Sql, payment: NewPayment): Promise<boolean> => {
  const { rows } = await tx.query(
    `insert into bill_payments (org_id, serial, currency, amount_minor, paid_on, reference, recorded_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (org_id, reference) do nothing returning id`,
    [
      ...[payment.customerId, payment.serial, payment.currency, payment.amount],
      ...[payment.paidOn, payment.reference, payment.at],
    ],
  );
  return rows.length > 0;
};

export interface RecordedPayment {
  serial: number | null;
  currency: string;
  amount: string;
  paidOn: string;
}

export const findPayment = async (
  tx: Sql,
  { customerId, reference }: Pick<NewPayment, 'customerId' | 'reference'>,
): Promise<RecordedPayment | undefined> =>
  (
    await tx.query<RecordedPayment>(
      `select serial, currency, amount_minor::text as amount, paid_on::text as "paidOn" from bill_payments
       where org_id = $1 and reference = $2`,
      [customerId, reference],
    )
  ).rows[0];

/**
 * Old bills have correction lines (n) of zero, which don't count; a line with more for one SIM and less for
 * another may also add up to zero, but counts.
 */
const isNonZero = `(n.quantity <> 0
  or exists (select from bill_charges k where k.bill_id = n.bill_id and k.line = n.line and k.quantity <> 0))`;

/** Whether a later bill of the customer corrects the month of this one; bills in advance have no usage to correct. */
export const isCorrected = async (tx: Sql, bill: StoredBill): Promise<boolean> =>
  (
    await tx.query(
      `select from bill_lines n join bills b on b.id = n.bill_id
       where b.org_id = $1 and $2 <> 'advance' and b.currency = $4 and b.status <> 'obsolete' and n.corrects_on = $3 and ${isNonZero} limit 1`,
      [bill.org_id, bill.type, `${bill.month}-01`, bill.currency],
    )
  ).rows.length > 0;

/**
 * Whether the closing balance of a bill is the opening balance of one that is no longer computed: a later bill that is
 * issued, or that is held although its month is published.
 */
export const isCarriedForward = async (tx: Sql, bill: StoredBill): Promise<boolean> =>
  bill.type === 'predeposit' &&
  (
    await tx.query(
      `select from bills b join bill_months m on m.org_id = b.org_id and m.month_on = b.month_on
       where b.org_id = $1 and b.type = 'predeposit' and b.currency = $2 and b.month_on > $3 and b.status <> 'obsolete'
         and m.published_at is not null limit 1`,
      [bill.org_id, bill.currency, `${bill.month}-01`],
    )
  ).rows.length > 0;

/** Copies the correction lines of a replaced version into the new one, with their parts. */
export const copyCorrections = async (
  tx: Sql,
  { from, to, after }: { from: number; to: number; after: number },
): Promise<void> => {
  await tx.query(
    `insert into bill_charges (bill_id, line, sim_id, cycle_started_at, quantity, bytes, sim_quantity)
     select $2, c.line + $3, c.sim_id, c.cycle_started_at, c.quantity, c.bytes, c.sim_quantity
     from bill_charges c join bill_lines n using (bill_id, line) where bill_id = $1 and n.corrects_on is not null and ${isNonZero}`,
    [from, to, after],
  );
  await tx.query(
    `insert into bill_lines select (jsonb_populate_record(null::bill_lines,
       to_jsonb(n) || jsonb_build_object('bill_id', $2::bigint, 'line', n.line + $3::integer))).*
     from bill_lines n where n.bill_id = $1 and n.corrects_on is not null and ${isNonZero}`,
    [from, to, after],
  );
};

/** Gives a new version, once its lines are written, the names of organisations that the replaced version has. */
export const copyParties = async (tx: Sql, { from, to }: { from: number; to: number }): Promise<void> => {
  await tx.query(
    `insert into bill_parties (bill_id, org_id, code, name, country)
     select $2, org_id, code, name, country from bill_parties
     where bill_id = $1 and org_id in (select org_id from bill_lines where bill_id = $2)`,
    [from, to],
  );
};

/** Gives a new version, once it has its total, the credit limit or deposit of the one that it replaces. */
export const copyTerms = async (tx: Sql, { from, to }: { from: number; to: number }): Promise<void> => {
  await tx.query(
    `update bills b set credit_limit_minor = f.credit_limit_minor, opening_minor = f.opening_minor,
       top_up_minor = f.top_up_minor, credit_left_minor = f.credit_left_minor + f.total_minor - b.total_minor
     from bills f where b.id = $2 and f.id = $1`,
    [from, to],
  );
};

/** Sets the total of a version to the sum of its lines. */
export const sumLines = async (tx: Sql, id: number): Promise<void> => {
  await tx.query(
    `update bills set total_minor = (select coalesce(sum(amount_minor), 0) from bill_lines where bill_id = $1)
     where id = $1`,
    [id],
  );
};

export interface DroppedCharge {
  kind: BillLineKind;
  /** Code of the bundle or zone, or name of the pool; null for messages. */
  of: string | null;
  quantity: number;
  amountMinor: number;
}

/** What one version charges and the other does not have at all, at no price and for no organisation; without corrections. */
export const listDropped = async (
  sql: Sql,
  { from, to }: { from: number; to: number },
): Promise<DroppedCharge[]> =>
  (
    await sql.query<DroppedCharge>(
      `select kind, coalesce(bundle_code, zone_code, pool_name) as of, sum(quantity)::int8 as quantity,
         sum(amount_minor)::int8 as "amountMinor"
       from bill_lines o
       where bill_id = $1 and corrects_on is null and not exists (
         select from bill_lines n where n.bill_id = $2 and n.corrects_on is null and n.kind = o.kind
           and (n.bundle_code, n.zone_code, n.pool_id) is not distinct from (o.bundle_code, o.zone_code, o.pool_id))
       group by 1, 2 order by 4 desc, 1, 2`,
      [from, to],
    )
  ).rows;

export const findTariff = async (
  sql: Sql,
  code: string,
): Promise<{ id: number; currency: string } | undefined> =>
  (
    await sql.query<{ id: number; currency: string }>('select id, currency from tariffs where code = $1', [
      code,
    ])
  ).rows[0];

export interface PayingOrg {
  id: number;
  code: string;
  name: string;
  terms: string | null;
  credit_limit_minor: number | null;
  credit_currency: string | null;
}

export interface CreditLimit {
  minor: number;
  /** Null: it is from before limits had a currency, and applies to each. */
  currency: string | null;
}

/** A settlement customer with its terms, locked. */
export const lockCustomerTerms = async (tx: Sql, code: string): Promise<PayingOrg | undefined> =>
  (
    await tx.query<PayingOrg>(
      `select o.id, o.code, o.name, t.terms, t.credit_limit_minor, t.credit_currency
       from organisations o join organisations p on p.id = o.parent_id left join settlement_terms t on t.org_id = o.id
       where lower(o.code) = lower($1) and (o.settlement or p.parent_id is null) for no key update of o`,
      [code],
    )
  ).rows[0];

export const writeTerms = async (
  tx: Sql,
  { orgId, terms, limit }: { orgId: number; terms: string; limit: CreditLimit | null },
): Promise<void> => {
  await tx.query(
    `insert into settlement_terms (org_id, terms, credit_limit_minor, credit_currency) values ($1, $2, $3, $4)
     on conflict (org_id) do update set terms = excluded.terms, credit_limit_minor = excluded.credit_limit_minor,
       credit_currency = excluded.credit_currency`,
    [orgId, terms, limit?.minor ?? null, limit?.currency ?? null],
  );
};
