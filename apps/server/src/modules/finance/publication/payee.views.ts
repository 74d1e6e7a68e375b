import type { Payee } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';

/** The current payee; null until the operator has set one. */
export const findPayee = async (sql: Sql): Promise<Payee | null> =>
  (await sql.query<Payee>('select name, address, country, registration, iban, bic, bank from bill_payee'))
    .rows[0] ?? null;

/**
 * The payee on a bill: the one with which it was issued; for a draft, or a bill issued without one, the current
 * one.
 */
export const findPayeeOf = async (sql: Sql, billId: number): Promise<Payee | null> =>
  (await sql.query<{ payee: Payee | null }>('select payee from bills where id = $1', [billId])).rows[0]
    ?.payee ?? findPayee(sql);
