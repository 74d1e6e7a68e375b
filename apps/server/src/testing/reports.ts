import type { ReportKind } from '@simcube/contract/report';
import type pg from 'pg';
import { makeMonth } from '../modules/report/making.service.ts';
import { savePreferences } from '../modules/report/preferences.queries.ts';
import { inTransaction } from '../platform/db/index.ts';

/** Reports of October 2026, as CSV. */
export const makeReports = async (
  pool: pg.Pool,
  { orgId, kinds }: { orgId: number; kinds: readonly ReportKind[] },
): Promise<void> => {
  const at = new Date('2026-10-01T00:00:00Z');
  const wanted = { language: 'en-US' as const, time_zone: 'UTC', notify: [], formats: ['csv' as const] };
  await inTransaction(pool, (tx) => savePreferences(tx, { ...wanted, orgId, kinds: [...kinds], at }));
  await makeMonth(pool, { month: '2026-10', now: new Date('2026-11-05T00:00:00Z'), orgId });
};
