import type { Payee } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';

/** Who is paid, and how; null until the operator has said so. */
export const findPayee = async (sql: Sql): Promise<Payee | null> =>
  (await sql.query<Payee>('select name, address, country, registration, iban, bic, bank from bill_payee'))
    .rows[0] ?? null;
