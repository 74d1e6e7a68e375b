import type { Language } from '@simcube/contract';
import {
  type ReportKind,
  type ReportPreview,
  type ReportSeries,
  reportKinds,
} from '@simcube/contract/report';
import type { FileFormat } from '@simcube/contract/task';
import type { Sql } from '../../platform/db/index.ts';
import type { OwnFigure } from './report.rules.ts';

export interface ReportKey {
  orgId: number;
  month: string;
  kind: ReportKind;
}

const claimOf = ({ orgId, month, kind }: ReportKey): string => `report ${orgId} ${month} ${kind}`;

/**
 * Keeps other processes from making the same report until the transaction ends.
 * @returns false when another process is making it
 */
export const claimReport = async (sql: Sql, key: ReportKey): Promise<boolean> => {
  const { rows } = await sql.query<{ claimed: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as claimed',
    [claimOf(key)],
  );
  return rows[0]?.claimed === true;
};

/** The same for all reports of an organisation's month, after waiting for those in progress. */
export const claimMonth = async (tx: Sql, { orgId, month }: Omit<ReportKey, 'kind'>): Promise<void> => {
  for (const kind of reportKinds)
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      claimOf({ orgId, month, kind }),
    ]);
};

/**
 * Begins a report, or restarts an unfinished one from the beginning.
 * @returns its id; undefined when it is already made
 */
export const beginReport = async (
  sql: Sql,
  { orgId, month, kind, language, timeZone }: ReportKey & { language: Language; timeZone: string },
): Promise<number | undefined> => {
  const { rows } = await sql.query<{ id: number }>(
    `insert into reports (org_id, month_on, kind, language, time_zone) values ($1, $2, $3, $4, $5)
     on conflict (org_id, month_on, kind) do update set language = excluded.language, time_zone = excluded.time_zone
     where reports.made_at is null returning id`,
    [orgId, `${month}-01`, kind, language, timeZone],
  );
  const id = rows[0]?.id;
  if (id !== undefined) await sql.query('delete from report_parts where report_id = $1', [id]);
  return id;
};

export const insertReportPart = async (
  sql: Sql,
  { id, format, part, content }: { id: number; format: FileFormat; part: number; content: Buffer },
): Promise<void> => {
  await sql.query('insert into report_parts (report_id, format, part, content) values ($1, $2, $3, $4)', [
    ...[id, format, part, content],
  ]);
};

export interface GeneratedReport {
  id: number;
  at: Date;
  rows: number;
  figures: readonly OwnFigure[];
  series: ReportSeries;
  preview: ReportPreview;
  files: readonly { format: FileFormat; bytes: number }[];
}

/** Makes it visible. */
export const finishReport = async (tx: Sql, report: GeneratedReport): Promise<void> => {
  await tx.query(
    'update reports set made_at = $2, rows = $3, figures = $4, series = $5, preview = $6 where id = $1',
    [
      ...[report.id, report.at, report.rows],
      ...[report.figures, report.series, report.preview].map((part) => JSON.stringify(part)),
    ],
  );
  for (const { format, bytes } of report.files) {
    await tx.query('insert into report_files (report_id, format, bytes) values ($1, $2, $3)', [
      ...[report.id, format, bytes],
    ]);
  }
};

/** @returns whether nobody had been notified before */
export const recordAnnouncement = async (
  tx: Sql,
  { orgId, month, at }: { orgId: number; month: string; at: Date },
): Promise<boolean> =>
  (
    await tx.query(
      'insert into report_months (org_id, month_on, announced_at) values ($1, $2, $3) on conflict do nothing',
      [orgId, `${month}-01`, at],
    )
  ).rowCount === 1;

/**
 * Deletes the reports of an organisation's month, so that they are made again.
 * @returns how many there were
 */
export const deleteMonth = async (
  tx: Sql,
  { orgId, month }: { orgId: number; month: string },
): Promise<number> =>
  (await tx.query('delete from reports where org_id = $1 and month_on = $2', [orgId, `${month}-01`]))
    .rowCount ?? 0;

/** Deletes reports past their retention, with their files. */
export const deleteMonthsBefore = async (sql: Sql, month: string): Promise<void> => {
  await sql.query('delete from reports where month_on < $1', [`${month}-01`]);
  await sql.query('delete from report_months where month_on < $1', [`${month}-01`]);
};
