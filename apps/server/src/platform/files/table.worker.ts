import { parentPort, workerData } from 'node:worker_threads';
import { type FileRefusal, FileRefused } from './refusal.ts';
import { parseTable, type TableRequest } from './table.rules.ts';

/** Reads one file and ends: a hostile file can exhaust the memory or time of this thread only. */
export type TableResult = { rows: string[][] } | { refusal: FileRefusal };

const result = (): TableResult => {
  try {
    return { rows: parseTable(workerData as TableRequest) };
  } catch (error) {
    if (error instanceof FileRefused) return { refusal: error.refusal };
    return { refusal: { code: 'CB-09-0006' } };
  }
};

parentPort?.postMessage(result());
