import type { Payee } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';

/** Who is paid from now on, and how; null until the operator has said so. */
export const findPayee = async (sql: Sql): Promise<Payee | null> =>
  (await sql.query<Payee>('select name, address, country, registration, iban, bic, bank from bill_payee'))
    .rows[0] ?? null;

/** What a bill says of that: what it was issued with; of a draft, and of one that was issued without a payee, who it is now. */
export const findPayeeOf = async (sql: Sql, billId: number): Promise<Payee | null> =>
  (await sql.query<{ payee: Payee | null }>('select payee from bills where id = $1', [billId])).rows[0]
    ?.payee ?? findPayee(sql);
