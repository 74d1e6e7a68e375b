import { extname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { defaultLanguage, type Language, limits } from '@simcube/contract';
import { FileRefused } from './refusal.ts';
import type { TableFormat, TableRequest } from './table.rules.ts';
import type { TableAnswer } from './table.worker.ts';

export interface UploadedFile {
  name: string;
  content: Buffer;
}

const timeAllowedMs = 60_000;
const memoryMb = 1024;
/** Read at one time; each takes a thread and its memory. */
const atOnce = 2;

let reading = 0;
const waiting: (() => void)[] = [];

/** @throws FileRefused CB-09-0001, CB-09-0003 */
export const formatOf = (name: string): TableFormat => {
  if (name.length >= limits.upload.nameLength) {
    throw new FileRefused('CB-09-0003', { max: limits.upload.nameLength });
  }
  const format = extname(name).slice(1).toLowerCase();
  if (format === 'csv' || format === 'xls' || format === 'xlsx') return format;
  throw new FileRefused('CB-09-0001');
};

export interface TableBounds {
  maxRows: number;
  /** Whether the first row is one, which alone is no table. True unless said. */
  heading?: boolean;
  /** The language of the person who uploads it. */
  language?: Language;
  /** How long reading may take; a minute unless said. */
  timeLimitMs?: number;
}

/**
 * The rows of an uploaded csv, xls or xlsx file, the heading first, read in a thread of its own with bounds on time and
 * memory.
 * @throws FileRefused CB-09-0001, CB-09-0003, CB-09-0005 to CB-09-0008
 */
export const readTable = async (
  { name, content }: UploadedFile,
  { maxRows, heading = true, language = defaultLanguage, timeLimitMs = timeAllowedMs }: TableBounds,
): Promise<string[][]> => {
  const format = formatOf(name);
  await turn();
  try {
    const answer = await inThread({ format, content, maxRows, heading, language }, timeLimitMs);
    if ('rows' in answer) return answer.rows;
    throw new FileRefused(answer.refusal.code, answer.refusal.values);
  } finally {
    reading -= 1;
    waiting.shift()?.();
  }
};

const turn = async (): Promise<void> => {
  while (reading >= atOnce) {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  }
  reading += 1;
};

/**
 * Beside the bundle in production. Where the sources run directly it is TypeScript, which a thread cannot load
 * by a flag: the loader is asked for inside it.
 */
const startThread = (options: WorkerOptions): Worker => {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./table-worker.js', import.meta.url), options);
  const source = JSON.stringify(new URL('./table.worker.ts', import.meta.url).href);
  return new Worker(`import('tsx/esm/api').then(({ tsImport }) => tsImport(${source}, ${source}))`, {
    ...options,
    eval: true,
  });
};

const inThread = (workerData: TableRequest, timeLimitMs: number): Promise<TableAnswer> =>
  new Promise((resolve) => {
    const worker = startThread({ workerData, resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
    const broken: TableAnswer = { refusal: { code: 'CB-09-0006' } };
    const end = (answer: TableAnswer): void => {
      clearTimeout(timer);
      resolve(answer);
      void worker.terminate();
    };
    const timer = setTimeout(() => end(broken), timeLimitMs);
    worker.once('message', end);
    worker.once('error', () => end(broken));
    worker.once('exit', () => end(broken));
  });
