import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import type { ErrorCode } from '../errors.ts';
import { iccidSchema, instantSchema } from '../identifiers.ts';
import { languages } from '../languages.ts';
import { limits } from '../limits.ts';
import { pageSchema, sortedPageSchema } from '../paging.ts';
import { fileFormatSchema, fileFormats } from '../task/schemas.ts';
import { searchSchema } from '../text.ts';
import { shownEstimateSchema } from './estimate.ts';
import { shownOffersSchema } from './offers.ts';
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
/** As the database numbers lines. */
const lineMost = 2_147_483_647;
const readBills = { kind: 'permission', key: 'customer-bill-cube', action: 'read' } as const;
const ofBill = z.strictObject({ billId: billIdSchema });
const ofPdf = ofBill.extend({
  /** That of the request, unless another is asked for. */
  language: z.enum(languages).optional(),
});
const billNotFound = ['CB-06-0001'] as const satisfies readonly ErrorCode[];

export const financeEndpoints = {
  list: endpoint({
    id: 'finance.list',
    method: 'POST',
    path: `${base}/bills`,
    summary: 'Bills of the organisation as settlement customer, the latest month first',
    access: readBills,
    body: sortedPageSchema(billSorts).extend({
      /** A part of the number. */
      search: searchSchema(limits.bills.search).optional(),
      month: billMonthSchema.optional(),
      type: z.array(z.enum(billTypes)).max(billTypes.length).optional(),
      state: z.array(z.enum(billStates)).max(billStates.length).optional(),
      /** With versions that were replaced. */
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
    summary: 'What of a bill, or of a line of it, each SIM is, with the cycles that it is made of',
    access: readBills,
    body: sortedPageSchema(billSimSorts).extend({
      billId: billIdSchema,
      line: z.number().int().positive().max(lineMost).optional(),
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
    summary:
      'The usage of a SIM’s cycle that a line of a bill charges, day by day, and the records it is the sum of',
    access: readBills,
    query: ofBill.extend({
      line: z.coerce.number().int().positive().max(lineMost),
      iccid: iccidSchema,
      /** When the cycle began. */
      cycle: instantSchema,
    }),
    /** Null where the line charges no such cycle. */
    response: billCycleSchema.nullable(),
    errors: billNotFound,
    retry: 'safe',
  }),
  poolCycle: endpoint({
    id: 'finance.poolCycle',
    method: 'GET',
    path: `${base}/sim/bills/pool`,
    summary:
      'The cycle of a shared pool that a line of a bill charges, with what of its usage is charged as beyond its limit',
    access: readBills,
    query: ofBill.extend({ line: z.coerce.number().int().positive().max(lineMost) }),
    /** Null where the line is for no pool. */
    response: billPoolCycleSchema.nullable(),
    errors: billNotFound,
    retry: 'safe',
  }),
  listPoolMembers: endpoint({
    id: 'finance.listPoolMembers',
    method: 'POST',
    path: `${base}/sim/bills/pool`,
    summary:
      'The SIMs of a shared pool in the cycle that a line of a bill charges: what each used, and what it contributed',
    access: readBills,
    body: sortedPageSchema(billPoolMemberSorts).extend({
      billId: billIdSchema,
      line: z.number().int().positive().max(lineMost),
      /** A part of an ICCID. */
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
      'Computes a bill again from the usage records and says what is not as it was billed; one of many SIMs in the background',
    access: readBills,
    body: ofBill,
    /** What came of it, or how far it is. */
    response: z.object({ check: billCheckSchema.nullable(), checking: billCheckRunSchema.nullable() }),
    errors: [...billNotFound, 'CB-06-0002', 'CB-06-0003'],
    retry: 'safe',
    audit: 'none',
    weight: 10,
  }),
  estimate: endpoint({
    id: 'finance.estimate',
    method: 'GET',
    path: `${base}/bills/estimate`,
    summary: 'What the running month is likely to come to, by what it is made of, with its range',
    access: readBills,
    response: shownEstimateSchema,
    errors: [],
    retry: 'safe',
  }),
  offers: endpoint({
    id: 'finance.offers',
    method: 'GET',
    path: `${base}/bills/offers`,
    summary:
      'Where another bundle or a shared pool would have been cheaper in the last three months, with the arithmetic; nothing is changed',
    access: readBills,
    response: shownOffersSchema,
    errors: [],
    retry: 'safe',
  }),
  settles: endpoint({
    id: 'finance.settles',
    method: 'GET',
    path: `${base}/bills/settles`,
    summary: 'What is open, by currency: bills, those past due, credit and deposit; and what months came to',
    access: readBills,
    response: settlementSchema,
    errors: [],
    retry: 'safe',
  }),
  extract: endpoint({
    id: 'finance.extract',
    method: 'GET',
    path: `${base}/bills/{billId}/extract`,
    summary: 'A bill in short: what its sections come to, by group',
    access: readBills,
    params: ofBill,
    response: z.array(billExtractSchema),
    errors: billNotFound,
    retry: 'safe',
  }),
  details: endpoint({
    id: 'finance.details',
    method: 'GET',
    path: `${base}/bills/details`,
    summary:
      'The lines of a bill, section by section, with what they came to in the version before; or one of them',
    access: readBills,
    query: pageSchema.extend({
      billId: billIdSchema,
      line: z.coerce.number().int().positive().max(lineMost).optional(),
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
    summary: 'The lines of a bill as a file, or with each SIM’s cycles',
    access: readBills,
    params: ofBill,
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
    summary: 'A published bill as a PDF to be kept (PDF/A-3), with the bill as XML (EN 16931) in it',
    access: readBills,
    query: ofPdf,
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
    summary: 'The same to be looked at; of a draft too, which says across its pages that it is one',
    access: readBills,
    query: ofPdf,
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
    summary: 'One version of a bill, why it replaced the one before, and its payments',
    access: readBills,
    query: ofBill,
    response: billVersionSchema,
    errors: billNotFound,
    retry: 'safe',
  }),
  versions: endpoint({
    id: 'finance.versions',
    method: 'GET',
    path: `${base}/bills/versions`,
    summary: 'All versions of the bill that one is a version of, the latest first',
    access: readBills,
    query: pageSchema.extend({ billId: billIdSchema }),
    response: z.array(billSchema),
    list: true,
    errors: billNotFound,
    retry: 'safe',
  }),
} as const;
