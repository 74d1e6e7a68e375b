import { limits } from '@simcube/contract';
import type { ReportColumn, ReportKind, ReportPreview } from '@simcube/contract/report';
import type { FileFormat } from '@simcube/contract/task';
import { phrase } from '@simcube/phrases';
import type pg from 'pg';
import { inTransaction, openSnapshot, type Sql } from '../../../platform/db/index.ts';
import { type Cell, inParts, isDecimal, readInLockstep, tableFile } from '../../../platform/files/index.ts';
import { emit } from '../../../platform/outbox/index.ts';
import { awaitsBills } from '../../finance/index.ts';
import { notifyTargets } from '../../notify/index.ts';
import { readByCursor } from '../kinds/rows.views.ts';
import { createFormatter, type Formatter, type Source } from '../kinds/source.ts';
import { sources } from '../kinds/sources.ts';
import {
  type DueOrganisation,
  findPreferences,
  listDue,
  listLateCosts,
  type Preferences,
} from '../preferences/preferences.views.ts';
import { reportsReady } from '../report.events.ts';
import { boundsOf, businessMonth, daysWithin, dueMonth } from '../report.rules.ts';
import {
  beginReport,
  claimReport,
  finishReport,
  insertReportPart,
  type ReportKey,
  recordAnnouncement,
} from '../reports.queries.ts';

export interface MonthWork {
  month: string;
  now: Date;
  /** Kinds that were switched on later are not made; by default the end of the days in which reports are made. */
  before?: Date;
  /** Only this organisation. */
  orgId?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Makes the missing reports of a month, and announces each month once. If a process dies, the next run
 * continues; concurrent workers make each report once. An organisation whose reports fail does not block the
 * others; the error is thrown at the end.
 */
export const generateMonth = async (
  pool: pg.Pool,
  { month, now, before = dueMonth(month).readyBy, orgId, signal }: MonthWork,
): Promise<void> => {
  const failures: unknown[] = [];
  for (const due of await listDue(pool, { month, before, ...(orgId !== undefined && { orgId }) })) {
    const work = generateReports(pool, { ...due, month, now, signal });
    await work.catch((failure: unknown) => failures.push(failure));
  }
  if (failures.length > 0) throw failures[0];
};

/**
 * Makes the reports of cost that were left for the bills of earlier months: these may be published, or get a tariff, when
 * other reports are already due for the next month.
 */
export const generateLateCosts = async (
  pool: pg.Pool,
  { month: before, now, signal }: Pick<MonthWork, 'month' | 'now' | 'signal'>,
): Promise<void> => {
  const failures: unknown[] = [];
  for (const { orgId, month } of await listLateCosts(pool, before)) {
    const work = generateReports(pool, { orgId, kinds: ['cost'], month, now, signal });
    await work.catch((failure: unknown) => failures.push(failure));
  }
  if (failures.length > 0) throw failures[0];
};

const generateReports = async (
  pool: pg.Pool,
  { orgId, kinds, month, now, signal }: DueOrganisation & Pick<MonthWork, 'month' | 'now' | 'signal'>,
): Promise<void> => {
  const preferences = await findPreferences(pool, orgId);
  if (!preferences) return;
  const made: ReportKind[] = [];
  let isComplete = true;
  for (const kind of kinds) {
    if (signal?.aborted) return;
    const outcome = await generateReport(pool, { orgId, month, kind, preferences, now });
    if (outcome === 'made') made.push(kind);
    if (outcome === 'claimed') isComplete = false;
  }
  if (isComplete && made.length > 0) await announce(pool, { orgId, kinds: made, month, preferences, now });
};

interface ReportWork extends ReportKey {
  preferences: Preferences;
  now: Date;
}

/** Made now or before; left until the month's bills are published; or claimed by another worker. */
type Outcome = 'made' | 'waiting' | 'claimed';

const generateReport = async (pool: pg.Pool, work: ReportWork): Promise<Outcome> => {
  // Everything is read in one snapshot, and the claim is released with it, even if the process dies. The
  // transaction only reads: consumers of facts would have to wait for a writing transaction as long as this.
  const snapshot = await openSnapshot(pool);
  try {
    if (!(await claimReport(snapshot.client, work))) return 'claimed';
    const { language, time_zone: timeZone } = work.preferences;
    const id = await beginReport(pool, { ...work, language, timeZone });
    // The unfinished report remains, by which later runs find it.
    const isWaiting = id !== undefined && work.kind === 'cost' && (await awaitsBills(snapshot.client, work));
    if (id !== undefined && !isWaiting) await fillReport(pool, snapshot.client, { ...work, id });
    await snapshot.end();
    return isWaiting ? 'waiting' : 'made';
  } finally {
    snapshot.release();
  }
};

const fillReport = async (
  pool: pg.Pool,
  read: Sql,
  { id, orgId, month, kind, preferences, now }: ReportWork & { id: number },
): Promise<void> => {
  const { language, time_zone: timeZone, formats } = preferences;
  const formatter = createFormatter(language, timeZone);
  const source: Source<object> = sources[kind] as unknown as Source<object>;
  const query = { orgId, month, cycles: businessMonth(month), ...daysWithin(boundsOf(month, timeZone)) };
  const tally = source.tally(formatter);
  const preview: ReportPreview = {
    columns: source.columns.map(([column, unit]) => ({ column, unit })),
    rows: [],
  };
  let rows = 0;
  const cells = async function* (): AsyncIterable<readonly (readonly Cell[])[]> {
    for await (const batch of readByCursor<object>(read, source.rows(query))) {
      yield batch.map((row) => {
        const formatted = source.cells(row, formatter);
        tally.add(row);
        if (preview.rows.length < limits.reports.preview) preview.rows.push(formatted.map(toPreviewCell));
        return formatted;
      });
      rows += batch.length;
    }
  };
  const heading = source.columns.map(([column]) => headingOf(column, { formatter, timeZone }));
  const formatRows = readInLockstep(cells(), formats.length);
  const files = await awaitAll(
    formats.map(async (format, index) => {
      const { content } = tableFile({ name: kind, format, heading, rows: formatRows[index] ?? [] });
      return { format, bytes: await store(pool, { id, format, content }) };
    }),
  );
  const generated = { id, at: now, rows, figures: tally.figures(), series: tally.series(), preview, files };
  await inTransaction(pool, (tx) => finishReport(tx, generated));
};

/**
 * Waits for all promises, because they share a connection.
 * @throws the first error
 */
const awaitAll = async <T>(work: readonly Promise<T>[]): Promise<T[]> => {
  await Promise.allSettled(work);
  return Promise.all(work);
};

const toPreviewCell = (cell: Cell): string | number | null => (isDecimal(cell) ? cell.decimal : cell);

const bytesColumns: ReadonlySet<ReportColumn> = new Set([
  'up',
  'down',
  'used',
  'quota',
  'quota_used',
  'over',
  'limit',
]);
const timeColumns: ReadonlySet<ReportColumn> = new Set([
  'time',
  'activated',
  'expires',
  'cycle_started',
  'cycle_ends',
]);

const headingOf = (
  column: ReportColumn,
  { formatter: { language }, timeZone }: { formatter: Formatter; timeZone: string },
): string => {
  const word = phrase(language, `report.columns.${column}`);
  if (column === 'of_quota' || column === 'fullest_cycle') return `${word} (%)`;
  if (timeColumns.has(column)) return `${word} (${timeZone})`;
  return bytesColumns.has(column) ? `${word} (bytes)` : word;
};

/** @returns the number of octets */
const store = async (
  pool: pg.Pool,
  { id, format, content }: { id: number; format: FileFormat; content: AsyncIterable<Buffer> },
): Promise<number> => {
  let [part, bytes] = [0, 0];
  for await (const octets of inParts(content)) {
    await insertReportPart(pool, { id, format, part, content: octets });
    part += 1;
    bytes += octets.length;
  }
  return bytes;
};

interface Announcement {
  orgId: number;
  month: string;
  kinds: ReportKind[];
  preferences: Preferences;
  now: Date;
}

/** Announced once a month, to people and programs; reports made later only appear in the list. */
const announce = (pool: pg.Pool, { orgId, month, kinds, preferences, now }: Announcement): Promise<void> =>
  inTransaction(pool, async (tx) => {
    if (!(await recordAnnouncement(tx, { orgId, month, at: now }))) return;
    const { time_zone: timeZone, notify } = preferences;
    await emit(tx, reportsReady, { orgId, payload: { orgId, month, timeZone, kinds } });
    const targets = notify.map(({ id }) => Number(id));
    const fields = { month, time_zone: timeZone, kinds };
    if (targets.length > 0)
      await notifyTargets(tx, { orgId, kind: 'report.ready', fields, at: now }, targets);
  });
