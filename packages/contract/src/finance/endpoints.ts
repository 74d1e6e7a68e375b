import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import type { ErrorCode } from '../errors.ts';
import { iccidSchema, instantSchema } from '../identifiers.ts';
import { languages } from '../languages.ts';
import { limits } from '../limits.ts';
import { digitsOr, pageSchema, sortedPageSchema } from '../paging.ts';
import { fileFormatSchema, fileFormats } from '../task/schemas.ts';
import { searchSchema } from '../text.ts';
import { estimateResponseSchema } from './estimate.ts';
import { offersResponseSchema } from './offers.ts';
import {
  billCheckRunSchema,
  billCheckSchema,
  billCycleSchema,
  billExtractSchema,
  billIdSchema,
  billLineSchema,
  billMonthSchema,
  billPoolCycleSchema,
  billPoolMemberSchema,
  billPoolMemberSorts,
  billSchema,
  billSimSchema,
  billSimSorts,
  billSorts,
  billStates,
  billTypes,
  billVersionSchema,
  settlementSchema,
} from './schemas.ts';

const base = '/cube/v2/api/customer' as const;
/** Maximum number of a line in the database. */
const maxLine = 2_147_483_647;
const readBills = { kind: 'permission', key: 'customer-bill-cube', action: 'read' } as const;
const billParams = z.strictObject({ billId: billIdSchema });
const pdfQuery = billParams.extend({
  /** The language of the request by default. */
  language: z.enum(languages).optional(),
});
const billNotFound = ['CB-06-0001'] as const satisfies readonly ErrorCode[];

export const financeEndpoints = {
  list: endpoint({
    id: 'finance.list',
    method: 'POST',
    path: `${base}/bills`,
    summary: 'Bills of the organisation as settlement customer, latest month first',
    access: readBills,
    body: sortedPageSchema(billSorts).extend({
      /** Part of the number. */
      search: searchSchema(limits.bills.search).optional(),
      month: billMonthSchema.optional(),
      type: z.array(z.enum(billTypes)).max(billTypes.length).optional(),
      state: z.array(z.enum(billStates)).max(billStates.length).optional(),
      /** Whether to include versions that were replaced. */
      replaced: z.boolean().default(false),
    }),
    response: z.array(billSchema),
    list: true,
    errors: [],
    retry: 'safe',
    audit: 'none',
  }),
  listSims: endpoint({
    id: 'finance.listSims',
    method: 'POST',
    path: `${base}/sim/bills`,
    summary: 'Share of each SIM in a bill or in one of its lines, with the cycles that it consists of',
    access: readBills,
    body: sortedPageSchema(billSimSorts).extend({
      billId: billIdSchema,
      line: z.number().int().positive().max(maxLine).optional(),
      /** ICCID, IMSI or MSISDN. */
      search: searchSchema(limits.bills.search).optional(),
    }),
    response: z.array(billSimSchema),
    list: true,
    errors: billNotFound,
    retry: 'safe',
    audit: 'none',
  }),
  cycle: endpoint({
    id: 'finance.cycle',
    method: 'GET',
    path: `${base}/sim/bills/cycle`,
    summary: 'Usage of a SIM’s cycle that a line of a bill charges, by day, with its number of records',
    access: readBills,
    query: billParams.extend({
      line: digitsOr(z.int().positive().max(maxLine)),
      iccid: iccidSchema,
      /** When the cycle began. */
      cycle: instantSchema,
    }),
    /** Null if the line does not charge such a cycle. */
    response: billCycleSchema.nullable(),
    errors: billNotFound,
    retry: 'safe',
  }),
  poolCycle: endpoint({
    id: 'finance.poolCycle',
    method: 'GET',
    path: `${base}/sim/bills/pool`,
    summary:
      'The cycle of a shared pool that a line of a bill charges, with the usage that is charged as beyond its limit',
    access: readBills,
    query: billParams.extend({ line: digitsOr(z.int().positive().max(maxLine)) }),
    /** Null if the line is not for a pool. */
    response: billPoolCycleSchema.nullable(),
    errors: billNotFound,
    retry: 'safe',
  }),
  listPoolMembers: endpoint({
    id: 'finance.listPoolMembers',
    method: 'POST',
    path: `${base}/sim/bills/pool`,
    summary:
      'SIMs of a shared pool in the cycle that a line of a bill charges, with the usage and contribution of each',
    access: readBills,
    body: sortedPageSchema(billPoolMemberSorts).extend({
      billId: billIdSchema,
      line: z.number().int().positive().max(maxLine),
      /** Part of an ICCID. */
      search: searchSchema(limits.bills.search).optional(),
    }),
    response: z.array(billPoolMemberSchema),
    list: true,
    errors: billNotFound,
    retry: 'safe',
    audit: 'none',
  }),
  check: endpoint({
    id: 'finance.check',
    method: 'POST',
    path: `${base}/bills/check`,
    summary:
      'Compute a bill again from the usage records and report differences; in the background for many SIMs, or while several bills are being computed',
    access: readBills,
    body: billParams,
    /** The result, or the progress. */
    response: z.object({ check: billCheckSchema.nullable(), checking: billCheckRunSchema.nullable() }),
    errors: [...billNotFound, 'CB-06-0002', 'CB-06-0003', 'CB-06-0006'],
    retry: 'safe',
    audit: 'none',
    weight: 10,
  }),
  estimate: endpoint({
    id: 'finance.estimate',
    method: 'GET',
    path: `${base}/bills/estimate`,
    summary: 'Estimate of the current month by part, with a range',
    access: readBills,
    response: estimateResponseSchema,
    errors: [],
    retry: 'safe',
  }),
  offers: endpoint({
    id: 'finance.offers',
    method: 'GET',
    path: `${base}/bills/offers`,
    summary:
      'Where another bundle or a shared pool would have been cheaper in the last three months, with the arithmetic; changes nothing',
    access: readBills,
    response: offersResponseSchema,
    errors: [],
    retry: 'safe',
  }),
  settles: endpoint({
    id: 'finance.settles',
    method: 'GET',
    path: `${base}/bills/settles`,
    summary:
      'Open amounts by currency: bills, past due ones, credit and deposit; and the amounts of past months',
    access: readBills,
    query: z.strictObject({
      /** Of the months; the last twelve by default. */
      year: digitsOr(z.int().min(2000).max(2999)).optional(),
    }),
    response: settlementSchema,
    errors: [],
    retry: 'safe',
  }),
  extract: endpoint({
    id: 'finance.extract',
    method: 'GET',
    path: `${base}/bills/{billId}/extract`,
    summary: 'Summary of a bill: amounts of its sections by group',
    access: readBills,
    params: billParams,
    response: z.array(billExtractSchema),
    errors: billNotFound,
    retry: 'safe',
  }),
  details: endpoint({
    id: 'finance.details',
    method: 'GET',
    path: `${base}/bills/details`,
    summary: 'Lines of a bill by section, with their amounts in the previous version; or one line',
    access: readBills,
    query: pageSchema.extend({
      billId: billIdSchema,
      line: digitsOr(z.int().positive().max(maxLine)).optional(),
    }),
    response: z.array(billLineSchema),
    list: true,
    errors: billNotFound,
    retry: 'safe',
  }),
  download: endpoint({
    id: 'finance.download',
    method: 'GET',
    path: `${base}/bills/details/download/{billId}`,
    summary: 'Lines of a bill as a file, or the cycles of each SIM',
    access: readBills,
    params: billParams,
    query: z.strictObject({
      format: fileFormatSchema.default('csv'),
      content: z.enum(['lines', 'sims']).default('lines'),
    }),
    response: 'file',
    formats: fileFormats,
    errors: [...billNotFound, 'CB-09-0010', 'CB-09-0011'],
    retry: 'safe',
    weight: 10,
  }),
  pdf: endpoint({
    id: 'finance.pdf',
    method: 'GET',
    path: `${base}/bills/download/pdf`,
    summary: 'A published bill as an archival PDF (PDF/A-3), with the bill embedded as XML (EN 16931)',
    access: readBills,
    query: pdfQuery,
    response: 'file',
    formats: ['pdf'],
    errors: [...billNotFound, 'CB-06-0004', 'CB-06-0005'],
    retry: 'safe',
    weight: 20,
  }),
  previewPdf: endpoint({
    id: 'finance.previewPdf',
    method: 'GET',
    path: `${base}/bills/preview/pdf`,
    summary: 'PDF preview of a bill; also of a draft, which is marked as such on every page',
    access: readBills,
    query: pdfQuery,
    response: 'file',
    formats: ['pdf'],
    errors: [...billNotFound, 'CB-06-0005'],
    retry: 'safe',
    weight: 20,
  }),
  version: endpoint({
    id: 'finance.version',
    method: 'GET',
    path: `${base}/bills/version`,
    summary: 'One version of a bill, the reason why it replaced the previous one, and its payments',
    access: readBills,
    query: billParams,
    response: billVersionSchema,
    errors: billNotFound,
    retry: 'safe',
  }),
  versions: endpoint({
    id: 'finance.versions',
    method: 'GET',
    path: `${base}/bills/versions`,
    summary: 'All versions of a bill, latest first',
    access: readBills,
    query: pageSchema.extend({ billId: billIdSchema }),
    response: z.array(billSchema),
    list: true,
    errors: billNotFound,
    retry: 'safe',
  }),
} as const;
