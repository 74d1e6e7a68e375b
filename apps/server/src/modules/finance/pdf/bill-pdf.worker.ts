import { parentPort, workerData } from 'node:worker_threads';
import type { Language } from '@simcube/contract';
import type { BillDocument } from '../document/bill-document.rules.ts';
import { drawBill } from './draw-bill.ts';

export interface BillPdfInput {
  document: BillDocument;
  language: Language;
}

/** The file. */
export type DrawnBill = Uint8Array;

/** Draws one bill and ends. */
const { document, language } = workerData as BillPdfInput;
parentPort?.postMessage(new Uint8Array(await drawBill(document, language)) satisfies DrawnBill);
