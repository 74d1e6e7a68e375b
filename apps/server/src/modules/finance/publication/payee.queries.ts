import type { Payee } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';

/** Sets the payee of drafts, and of bills issued from then on. */
export const writePayee = async (sql: Sql, payee: Payee): Promise<void> => {
  await sql.query(
    `insert into bill_payee (name, address, country, registration, iban, bic, bank)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (id) do update set name = excluded.name, address = excluded.address, country = excluded.country,
       registration = excluded.registration, iban = excluded.iban, bic = excluded.bic, bank = excluded.bank`,
    [
      ...[payee.name, payee.address, payee.country, payee.registration],
      ...[payee.iban, payee.bic, payee.bank],
    ],
  );
};
