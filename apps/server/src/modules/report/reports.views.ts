import { limits } from '@simcube/contract';
import type { Report, ReportKind } from '@simcube/contract/report';
import type { FileFormat } from '@simcube/contract/task';
import { sql } from 'kysely';
import type { Sql } from '../../platform/db/index.ts';
import { storedParts } from '../../platform/files/index.ts';
import type { List } from '../../platform/lists/index.ts';
import { compareFigures, type OwnFigure } from './report.rules.ts';

interface ReportScope {
  orgId: number;
  /** Reports of cost are only for those who may see bills. */
  withCost: boolean;
}

interface ReportFilter {
  month?: string | undefined;
  kind?: ReportKind | undefined;
}

/** Finished reports, the latest month first; the caller adds the figures. */
export const reportList: List<ReportScope, ReportFilter, { id: number }, number> = {
  name: 'report.reports',
  tables: [
    {
      name: 'reports',
      from: () => sql`reports r`,
      inScope: ({ scope: { orgId, withCost } }) =>
        sql<boolean>`org_id = ${orgId} and made_at is not null and (${withCost} or kind <> 'cost')`,
    },
  ],
  key: { column: 'id', type: 'integer' },
  order: [{ column: 'month_on', type: 'date', descending: true }],
  countLimit: limits.countedTotal,
  filters: {
    month: (month) => sql<boolean>`month_on = ${`${month}-01`}`,
    kind: (kind) => sql<boolean>`kind = ${kind}`,
  },
  select: sql`id`,
  show: (rows) => rows.map(({ id }) => id),
};

interface Row extends Omit<Report, 'id' | 'made_at' | 'figures'> {
  id: number;
  made_at: Date;
  figures: OwnFigure[];
  before: OwnFigure[] | null;
}

/** Reports by id, in that order. */
export const findReports = async (
  db: Sql,
  { orgId, ids, withPreview }: { orgId: number; ids: readonly number[]; withPreview: boolean },
): Promise<Report[]> => {
  const { rows } = await db.query<Row>(
    `select r.id, to_char(r.month_on, 'YYYY-MM') as month, r.kind, r.language, r.time_zone, r.made_at, r.rows,
       (select coalesce(json_agg(json_build_object('format', f.format, 'bytes', f.bytes) order by f.format), '[]')
        from report_files f where f.report_id = r.id) as files,
       r.figures, former.figures as before, r.series, case when $3 then r.preview end as preview
     from reports r left join reports former on former.org_id = r.org_id and former.kind = r.kind
       and former.month_on = (r.month_on - interval '1 month')::date and former.made_at is not null
     where r.org_id = $1 and r.id = any($2::bigint[])`,
    [orgId, ids, withPreview],
  );
  const byId = new Map(
    rows.map(({ before, ...row }) => [
      row.id,
      {
        ...row,
        id: String(row.id),
        made_at: row.made_at.toISOString(),
        figures: compareFigures(row.figures, before ?? []),
      },
    ]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** Number of finished reports of an organisation's month. */
export const countMonth = async (
  db: Sql,
  { orgId, month }: { orgId: number; month: string },
): Promise<number> =>
  (
    await db.query<{ count: number }>(
      'select count(*)::int as count from reports where org_id = $1 and month_on = $2 and made_at is not null',
      [orgId, `${month}-01`],
    )
  ).rows[0]?.count ?? 0;

export interface StoredFile {
  reportId: number;
  month: string;
  kind: ReportKind;
  format: FileFormat;
  bytes: number;
}

/** Files of finished reports, the latest month first. */
export const findFiles = async (
  db: Sql,
  {
    orgId,
    months,
    kinds,
    format,
  }: {
    orgId: number;
    months: readonly string[];
    kinds: readonly ReportKind[];
    format?: FileFormat | undefined;
  },
): Promise<StoredFile[]> =>
  (
    await db.query<StoredFile>(
      `select r.id as "reportId", to_char(r.month_on, 'YYYY-MM') as month, r.kind, f.format, f.bytes
       from reports r join report_files f on f.report_id = r.id
       where r.org_id = $1 and to_char(r.month_on, 'YYYY-MM') = any($2::text[]) and r.kind = any($3::text[])
         and r.made_at is not null and f.format = coalesce($4, f.format)
       order by r.month_on desc, r.kind, f.format`,
      [orgId, months, kinds, format ?? null],
    )
  ).rows;

/** A file in the parts in which it is stored. @throws when it is deleted in the meantime */
export const partsOf = (
  db: Sql,
  { reportId, format, bytes }: Pick<StoredFile, 'reportId' | 'format' | 'bytes'>,
): AsyncIterable<Buffer> => {
  const findPart = async (part: number): Promise<Buffer | undefined> =>
    (
      await db.query<{ content: Buffer }>(
        'select content from report_parts where report_id = $1 and format = $2 and part = $3',
        [reportId, format, part],
      )
    ).rows[0]?.content;
  return storedParts({ bytes, findPart });
};
