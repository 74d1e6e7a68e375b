import { type Language, limits } from '@simcube/contract';
import type pg from 'pg';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { inSnapshot, type Sql } from '../../../platform/db/index.ts';
import { contentTypes } from '../../../platform/files/index.ts';
import { type FileResponse, fail } from '../../../platform/http/index.ts';
import { createThreadPool } from '../../../platform/threads/index.ts';
import { versionNumber } from '../bill.rules.ts';
import { findBills, findVersionHistory, type OwnBill } from '../bills/bills.views.ts';
import { listLines } from '../bills/lines.views.ts';
import type { BillDocument } from '../document/bill-document.rules.ts';
import { findCostliestSims, findParties } from '../document/bill-document.views.ts';
import { findPayeeOf } from '../publication/payee.views.ts';
import type { BillPdfInput, DrawnBill } from './bill-pdf.worker.ts';

export interface BillPdfRequest {
  orgId: number;
  bill: OwnBill;
  language: Language;
  now: Date;
}

const drawInThread = createThreadPool<BillPdfInput, DrawnBill>('bill-pdf-worker', { size: 2 });
const bounds = { timeLimitMs: 60_000, memoryMb: 512 };

/**
 * A bill as a document to view. It is read in one snapshot and drawn in a worker thread, because drawing
 * occupies a processor for a second or longer.
 * @throws Failure CB-06-0005: it has more lines than a document may have
 */
export const previewBill = async (pool: pg.Pool, request: BillPdfRequest): Promise<FileResponse> => {
  const { bill, language } = request;
  const document = await inSnapshot(pool, (tx) => readDocument(tx, request));
  const pdf = await drawInThread({ document, language }, bounds);
  if (!pdf) throw new Error(`The PDF of ${bill.number} was not made within its bounds`);
  return {
    fileName: `${versionNumber(bill)}.pdf`,
    contentType: contentTypes.pdf,
    content: Buffer.from(pdf),
    inline: true,
  };
};

/**
 * The same to save.
 * @throws Failure CB-06-0004: it is a draft
 */
export const downloadBill = async (pool: pg.Pool, request: BillPdfRequest): Promise<FileResponse> => {
  if (request.bill.status === 'draft') return fail('CB-06-0004');
  return { ...(await previewBill(pool, request)), inline: false };
};

const readDocument = async (sql: Sql, { orgId, bill: own, now }: BillPdfRequest): Promise<BillDocument> => {
  const [bill] = await findBills(sql, { orgId, ids: [own.id], now });
  const parties = await findParties(sql, { orgId, billId: own.id });
  if (!bill || !parties) return fail('CB-06-0001');
  const lines = await listLines(sql, { billId: own.id, limit: limits.bills.pdfLines + 1 });
  if (lines.length > limits.bills.pdfLines) return fail('CB-06-0005');
  const { before, payments } = await findVersionHistory(sql, own);
  return {
    bill,
    ...parties,
    lines,
    payments,
    payee: await findPayeeOf(sql, own.id),
    replaces: before
      ? {
          version: before.version,
          totalMinor: before.total_minor,
          issuedOn: dashboardDays.dayOf(before.issued_at),
          reason: own.reason ?? '',
        }
      : null,
    ...(await findCostliestSims(sql, { billId: own.id, most: limits.bills.pdfSims })),
  };
};
