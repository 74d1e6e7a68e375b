import { extname } from 'node:path';
import { defaultLanguage, type Language, limits } from '@simcube/contract';
import { createThreadPool, type ThreadUser } from '../threads/index.ts';
import { FileRefused } from './refusal.ts';
import type { TableFormat, TableRequest } from './table.rules.ts';
import type { TableResult } from './table.worker.ts';

export interface UploadedFile {
  name: string;
  content: Buffer;
  /** Who uploads it. */
  uploader?: ThreadUser;
}

const defaultTimeLimitMs = 60_000;
const memoryMb = 1024;
const readInThread = createThreadPool<TableRequest, TableResult>('table-worker', { size: 2 });

/** @throws FileRefused CB-09-0001, CB-09-0003 */
export const formatOf = (name: string): TableFormat => {
  // Counts characters as the console does: a surrogate pair is one.
  if ([...name].length >= limits.upload.nameLength) {
    throw new FileRefused('CB-09-0003', { max: limits.upload.nameLength });
  }
  const format = extname(name).slice(1).toLowerCase();
  if (format === 'csv' || format === 'xls' || format === 'xlsx') return format;
  throw new FileRefused('CB-09-0001');
};

export interface TableBounds {
  maxRows: number;
  /** Whether the first row is a heading, than which no other is wider. True by default. */
  heading?: boolean;
  /** The language of the person who uploads it. */
  language?: Language;
  /** Time limit for reading; a minute by default. */
  timeLimitMs?: number;
}

/**
 * The rows of an uploaded csv, xls or xlsx file, the heading first, read in a worker thread with limits on time
 * and memory; it ends when its uploader has gone, and one organisation's files are read one after the other.
 * @throws ThreadPoolBusy; FileRefused CB-09-0001, CB-09-0003, CB-09-0005 to CB-09-0008, CB-09-0035 to CB-09-0037, CB-09-0039, CB-09-0040
 */
export const readTable = async (
  { name, content, uploader }: UploadedFile,
  { maxRows, heading = true, language = defaultLanguage, timeLimitMs = defaultTimeLimitMs }: TableBounds,
): Promise<string[][]> => {
  const format = formatOf(name);
  const request = { format, content, maxRows, heading, language };
  const result = await readInThread(request, { timeLimitMs, memoryMb }, uploader);
  if (!result) throw new FileRefused('CB-09-0006');
  if ('rows' in result) return result.rows;
  const { code, values, heading: first } = result.refusal;
  throw new FileRefused(code, values, first);
};
