import type { BillType } from '@simcube/contract/finance';
import { int4Column, int8Column, rowsOf, type Sql, timestampColumn } from '../../../platform/db/index.ts';
import { computedHolds, type Hold } from '../bill.rules.ts';
import { amountOf, type BookedLine, type Charge, type CountedCycle } from '../charges/line-book.rules.ts';

interface MonthKey {
  customerId: number;
  month: string;
}

const keyOf = ({ customerId, month }: MonthKey) => [customerId, `${month}-01`];

export interface LockedMonth {
  isPublished: boolean;
  draftedAt: Date | null;
  /** Whether cycles had no tariff when it was last computed. */
  awaitsTariff: boolean;
}

/** Locks a customer's month: others that draft, publish or reissue it wait. */
export const lockMonth = async (tx: Sql, key: MonthKey): Promise<LockedMonth> => {
  await tx.query(
    'insert into bill_months (org_id, month_on) values ($1, $2) on conflict do nothing',
    keyOf(key),
  );
  const { rows } = await tx.query<LockedMonth>(
    `select published_at is not null as "isPublished", drafted_at as "draftedAt", awaits_tariff as "awaitsTariff"
     from bill_months where org_id = $1 and month_on = $2 for update`,
    keyOf(key),
  );
  return rows[0] ?? { isPublished: false, draftedAt: null, awaitsTariff: false };
};

/** Whether a later month is published, whose corrections have been charged. */
export const isLaterPublished = async (tx: Sql, key: MonthKey): Promise<boolean> => {
  const { rows } = await tx.query<{ found: boolean }>(
    `select exists (select from bill_months
       where org_id = $1 and month_on > $2 and published_at is not null) as found`,
    keyOf(key),
  );
  return rows[0]?.found === true;
};

export const recordDraft = async (
  tx: Sql,
  key: MonthKey,
  { at, awaitsTariff }: { at: Date; awaitsTariff: boolean },
): Promise<void> => {
  await tx.query(
    'update bill_months set drafted_at = $3, awaits_tariff = $4 where org_id = $1 and month_on = $2',
    [...keyOf(key), at, awaitsTariff],
  );
};

export const recordPublication = async (tx: Sql, key: MonthKey, at: Date): Promise<void> => {
  await tx.query('update bill_months set published_at = $3 where org_id = $1 and month_on = $2', [
    ...keyOf(key),
    at,
  ]);
};

/** Removes the contents of a month's drafts. The drafts themselves remain, with their numbers, by type and currency. */
export const clearDrafts = async (tx: Sql, key: MonthKey): Promise<Map<string, number>> => {
  const { rows } = await tx.query<{ id: number; key: string }>(
    `select id, type || ' ' || currency as key from bills
     where org_id = $1 and month_on = $2 and status = 'draft' for update`,
    keyOf(key),
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) {
    await tx.query('delete from bill_charges where bill_id = any($1::bigint[])', [ids]);
    await tx.query('delete from bill_sims where bill_id = any($1::bigint[])', [ids]);
    await tx.query('delete from bill_lines where bill_id = any($1::bigint[])', [ids]);
  }
  await tx.query('delete from bill_cycles where customer_id = $1 and month_on = $2', keyOf(key));
  return new Map(rows.map((row) => [row.key, row.id]));
};

export interface NewBill extends MonthKey {
  type: BillType;
  currency: string;
  at: Date;
  /** For a version that replaces another. */
  replaces?: { serial: number; version: number; reason: string; tariffId: number | null };
}

export const insertBill = async (tx: Sql, bill: NewBill): Promise<number> => {
  const { type, currency, at, replaces } = bill;
  const { rows } = await tx.query<{ id: number }>(
    `insert into bills (org_id, month_on, type, currency, computed_at, serial, version, reissue_reason, tariff_id)
     values ($1, $2, $3, $4, $5, coalesce($6, nextval('bill_serials')), $7, $8, $9) returning id`,
    [
      ...keyOf(bill),
      ...[type, currency, at, replaces?.serial ?? null, (replaces?.version ?? 0) + 1],
      ...[replaces?.reason ?? null, replaces?.tariffId ?? null],
    ],
  );
  if (!rows[0]) throw new Error('A bill was not stored');
  return rows[0].id;
};

export const deleteDraft = async (tx: Sql, id: number): Promise<void> => {
  await tx.query("delete from bills where id = $1 and status = 'draft'", [id]);
};

const chargeColumns = {
  bill_id: 'bigint',
  line: 'integer',
  sim_id: 'bigint',
  cycle_started_at: 'timestamptz',
  quantity: 'bigint',
  bytes: 'bigint',
} as const;

/** Writes all of a SIM's charges in a line together: the first of them has their total. */
export const writeCharges = async (
  tx: Sql,
  charges: readonly Charge[],
  idOf: (charge: Charge) => number,
): Promise<void> => {
  if (charges.length === 0) return;
  await tx.query({
    name: 'finance-write-charges',
    text: `insert into bill_charges (bill_id, line, sim_id, cycle_started_at, quantity, bytes, sim_quantity)
      select bill_id, line, sim_id, cycle_started_at, sum(quantity), sum(bytes),
        case when cycle_started_at = min(cycle_started_at) over sim then sum(sum(quantity)) over sim end
      from ${rowsOf(chargeColumns)} as v group by 1, 2, 3, 4 window sim as (partition by bill_id, line, sim_id)`,
    values: [
      int8Column(charges, idOf),
      int4Column(charges, ({ line }) => line),
      int8Column(charges, ({ simId }) => simId),
      timestampColumn(charges, ({ cycleAt }) => cycleAt.getTime()),
      int8Column(charges, ({ quantity }) => Number(quantity)),
      int8Column(charges, ({ bytes }) => (bytes === null ? null : Number(bytes))),
    ],
  });
};

const cycleColumns = {
  sim_id: 'bigint',
  cycle_started_at: 'timestamptz',
  org_id: 'bigint',
  used_bytes: 'bigint',
  limit_bytes: 'bigint',
} as const;

export const writeCycles = async (
  tx: Sql,
  key: MonthKey,
  { orgId, cycles }: { orgId: number; cycles: readonly CountedCycle[] },
): Promise<void> => {
  if (cycles.length === 0) return;
  await tx.query({
    name: 'finance-write-cycles',
    text: `insert into bill_cycles (sim_id, cycle_started_at, org_id, used_bytes, limit_bytes, customer_id, month_on)
      select sim_id, cycle_started_at, org_id, used_bytes, limit_bytes, $6::bigint, $7::date from ${rowsOf(cycleColumns)} as v
      on conflict (sim_id, cycle_started_at, org_id, month_on) do update
        set used_bytes = excluded.used_bytes, limit_bytes = excluded.limit_bytes`,
    values: [
      int8Column(cycles, ({ simId }) => simId),
      timestampColumn(cycles, ({ cycleAt }) => cycleAt.getTime()),
      int8Column(cycles, () => orgId),
      int8Column(cycles, ({ usedBytes }) => usedBytes),
      int8Column(cycles, ({ limitBytes }) => limitBytes),
      ...keyOf(key),
    ],
  });
};

export const writeLines = async (tx: Sql, billId: number, lines: readonly BookedLine[]): Promise<void> => {
  const rows = lines.map((line) => ({
    bill_id: billId,
    line: line.line,
    org_id: line.orgId,
    kind: line.kind,
    corrects_on: line.corrects === null ? null : `${line.corrects}-01`,
    bundle_code: line.bundle?.code ?? null,
    bundle_name: line.bundle?.name ?? null,
    zone_code: line.zone?.code ?? null,
    zone_name: line.zone?.name ?? null,
    pool_id: line.pool?.id ?? null,
    pool_name: line.pool?.name ?? null,
    pool_cycle_at: line.pool?.cycleAt ?? null,
    tariff_version_id: line.version.id,
    tariff_code: line.version.tariff.code,
    tariff_name: line.version.tariff.name,
    tariff_starts_on: line.version.startsOn,
    quantity: String(line.quantity),
    unit: line.unit,
    bytes: line.bytes === null ? null : String(line.bytes),
    price_micros: String(line.priceMicros),
    amount_minor: String(amountOf(line)),
  }));
  await tx.query(
    'insert into bill_lines select * from jsonb_populate_recordset(null::bill_lines, $1::jsonb)',
    [JSON.stringify(rows)],
  );
};

/**
 * Stores the names of a bill's customer and of its lines' organisations: current names, or for deleted
 * organisations those from the previous computation.
 */
export const writeParties = async (tx: Sql, billId: number): Promise<void> => {
  await tx.query(
    `insert into bill_parties (bill_id, org_id, code, name, country)
     select p.bill_id, o.id, o.code, o.name, o.country
     from (
       select id as bill_id, org_id from bills where id = $1 union select bill_id, org_id from bill_lines where bill_id = $1) as p
     join organisations o on o.id = p.org_id
     on conflict (bill_id, org_id) do update set code = excluded.code, name = excluded.name, country = excluded.country`,
    [billId],
  );
};

/** Stores each SIM's part of a bill, once its lines and charges are written. */
export const sumSims = async (tx: Sql, billId: number): Promise<void> => {
  await tx.query(
    `insert into bill_sims (bill_id, sim_id, amount_micros)
     select c.bill_id, c.sim_id, sum(c.quantity * n.price_micros)
     from bill_charges c join bill_lines n on n.bill_id = c.bill_id and n.line = c.line
     where c.bill_id = $1 group by 1, 2`,
    [billId],
  );
};

export interface ComputedDraft {
  total: bigint;
  at: Date;
  held: Hold | null;
  creditLimit: number | null;
  creditLeft: bigint | null;
  opening: number | null;
  topUp: number | null;
}

/**
 * Stores the total of a draft. A draft that the operator released stays released; one that the operator holds
 * stays held.
 */
export const updateComputed = async (tx: Sql, id: number, bill: ComputedDraft): Promise<void> => {
  await tx.query(
    `update bills set total_minor = $2, computed_at = $3, held_reason = case
         when released then null when held_reason <> all($9::text[]) then held_reason else $4 end,
       credit_limit_minor = $5, credit_left_minor = $6, opening_minor = $7, top_up_minor = $8 where id = $1`,
    [
      ...[id, bill.total, bill.at, bill.held, bill.creditLimit],
      ...[bill.creditLeft, bill.opening, bill.topUp, computedHolds],
    ],
  );
};
