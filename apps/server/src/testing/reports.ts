import type { ReportKind } from '@simcube/contract/report';
import type pg from 'pg';
import { generateMonth } from '../modules/report/generation/generate.service.ts';
import { savePreferences } from '../modules/report/preferences/preferences.queries.ts';
import { findFiles, findReports, partsOf } from '../modules/report/reports.views.ts';
import { inTransaction } from '../platform/db/index.ts';

/** Reports of October 2026, as CSV. */
export const makeReports = async (
  pool: pg.Pool,
  { orgId, kinds }: { orgId: number; kinds: readonly ReportKind[] },
): Promise<void> => {
  const at = new Date('2026-10-01T00:00:00Z');
  const preferences = { language: 'en-US' as const, time_zone: 'UTC', notify: [], formats: ['csv' as const] };
  await inTransaction(pool, (tx) => savePreferences(tx, { ...preferences, orgId, kinds: [...kinds], at }));
  await generateMonth(pool, { month: '2026-10', now: new Date('2026-11-05T00:00:00Z'), orgId });
};

interface ReportKey {
  orgId: number;
  month: string;
  kind: ReportKind;
}

/** A report's CSV file as lines of cells, the heading first; empty if the report does not exist. */
export const reportText = async (pool: pg.Pool, { orgId, month, kind }: ReportKey): Promise<string[][]> => {
  const [file] = await findFiles(pool, { orgId, months: [month], kinds: [kind], format: 'csv' });
  const parts: Buffer[] = [];
  if (file) for await (const part of partsOf(pool, file)) parts.push(part);
  const lines = Buffer.concat(parts).toString().replace('\ufeff', '').split('\r\n').filter(Boolean);
  return lines.map((line) => line.split(','));
};

/** The figures of a report, by name. */
export const reportFigures = async (
  pool: pg.Pool,
  { orgId, month, kind }: ReportKey,
): Promise<Record<string, number>> => {
  const { rows } = await pool.query<{ id: number }>(
    'select id from reports where org_id = $1 and month_on = $2 and kind = $3',
    [orgId, `${month}-01`, kind],
  );
  const [report] = await findReports(pool, { orgId, ids: rows.map(({ id }) => id), withPreview: false });
  return Object.fromEntries((report?.figures ?? []).map(({ figure, value }) => [figure, value]));
};
