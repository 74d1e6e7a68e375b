import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { Language } from '@simcube/contract';
import { type FileFormat, fileFormats, type TaskType } from '@simcube/contract/task';
import { errorText, phrase } from '@simcube/phrases';
import type pg from 'pg';
import { typed } from '../../platform/db/index.ts';
import { type Cell, contentTypes, storedParts, writeTable } from '../../platform/files/index.ts';
import type { FileResponse } from '../../platform/http/index.ts';
import { readAll } from '../../platform/lists/index.ts';
import { type ItemFault, type ItemKind, labelColumn } from './task.items.ts';
import { findPart, findReport, type ItemRow, itemList } from './task.views.ts';

export interface ReportQuery {
  taskId: number;
  kindOf: KindOf;
  /** The format of a report with a row per item; a file that the task made keeps the format in which it was ordered. */
  format: FileFormat;
  language: Language;
  now: Date;
}

/** The kind of items for a type of task; undefined for a type without items. */
export type KindOf = (type: TaskType) => ItemKind | undefined;

const batchSize = 2000;

/** @returns undefined while the task has no report */
export const reportOf = async (
  pool: pg.Pool,
  { taskId, kindOf, format, language, now }: ReportQuery,
): Promise<FileResponse | undefined> => {
  const report = await findReport(pool, taskId);
  if (!report) return undefined;
  if (report.bytes !== null) {
    const storedFormat = fileFormats.find((one) => extname(report.name) === `.${one}`) ?? 'csv';
    const { bytes } = report;
    const parts = storedParts({ bytes, findPart: (part) => findPart(pool, taskId, part) });
    return {
      fileName: report.name,
      contentType: contentTypes[storedFormat],
      content: Readable.from(parts, { objectMode: false }),
      bytes,
    };
  }
  return {
    fileName: `${report.name}.${format}`,
    contentType: contentTypes[format],
    content: Readable.from(
      writeTable(format, rowsOf(pool, { taskId, kind: kindOf(report.type), language, now })),
      {
        objectMode: false,
      },
    ),
  };
};

interface ReportRowsQuery extends Pick<ReportQuery, 'taskId' | 'language' | 'now'> {
  kind: ItemKind | undefined;
}

async function* rowsOf(
  pool: pg.Pool,
  { taskId, kind, language, now }: ReportRowsQuery,
): AsyncIterable<Cell[]> {
  // For a type that this version no longer has, only the labels are known.
  const columns = kind?.columns ?? [labelColumn('task.report.item')];
  yield [
    ...columns.map(({ heading }) => phrase(language, heading)),
    ...(['result', 'code', 'reason'] as const).map((column) => phrase(language, `task.report.${column}`)),
  ];
  const query = { scope: { taskId }, filter: {}, now, atOnce: batchSize };
  for await (const items of readAll(typed(pool), itemList, query)) {
    for (const item of items) {
      yield [
        ...columns.map(({ value }) => value(item)),
        phrase(language, `task.itemStates.${item.state}`),
        item.code,
        reasonOf(item, language),
      ];
    }
  }
}

/** Why an item was refused: its faulty values, else the text of the code. */
export const reasonOf = (
  { code, faults }: Pick<ItemRow, 'code' | 'faults'>,
  language: Language,
): string | null => {
  if (!faults) return code && faultMessage({ code }, language);
  return faults
    .map((fault) =>
      phrase(language, 'task.report.fault', {
        field: phrase(language, fault.field),
        value: fault.value,
        message: faultMessage(fault, language),
      }),
    )
    .join(' · ');
};

/** The fault of a value, or of an item as a whole. */
export const faultMessage = (
  { code, issue }: Pick<ItemFault, 'code' | 'issue'>,
  language: Language,
): string =>
  issue ? phrase(language, `errors.issues.${issue.key}`, issue.values) : errorText(language, code);
