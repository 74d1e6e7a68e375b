import { reportKinds } from '@simcube/contract/report';
import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import { listCustomers } from '../../modules/finance/index.ts';
import { dueMonth, generateMonth, savePreferences } from '../../modules/report/index.ts';
import { inTransaction } from '../../platform/db/index.ts';

/** The monthly reports of a customer for past months, made by the job's function. */
export const makeReports = async (
  pool: pg.Pool,
  { code, months, since, at }: { code: string; months: readonly string[]; since: Date; at: Date },
): Promise<void> => {
  const [customer] = await listCustomers(pool, code);
  if (!customer) return;
  const orgId = customer.id;
  await inTransaction(pool, (tx) =>
    savePreferences(tx, {
      orgId,
      kinds: [...reportKinds],
      formats: ['csv', 'xlsx'],
      at: since,
      language: 'en-US',
      time_zone: 'Europe/Berlin',
      notify: [],
    }),
  );
  for (const month of months) {
    const now = new Date(dueMonth(month).from.getTime() + hourMs);
    if (now <= at) await generateMonth(pool, { month, now, orgId });
  }
};
