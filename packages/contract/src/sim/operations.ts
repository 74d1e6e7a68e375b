import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import type { ErrorCode } from '../errors.ts';
import { iccidSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { fileFormatSchema, taskStartedSchema, templateFormatSchema } from '../task/schemas.ts';
import { searchSchema } from '../text.ts';
import { deviceNameSchema, iccidsSchema, notesSchema, simFilterSchema, tagSchema } from './schemas.ts';

/** So many ICCIDs in quotes, with what stands around them. */
const maxBodyBytes = limits.simsOfOperation * 26 + 65_536;
/** More of the shortest ICCIDs, in quotes and with a comma, don't fit into a body. */
const namedAtMost = Math.ceil(maxBodyBytes / 21);

/** Which SIMs: named ones, or all that match a filter but some. */
export const simSelectionSchema = z.union([
  // None at all and too many are refused in the specification's words, not as a field that is too short or too long:
  // each operation has its own maximum.
  z.strictObject({ iccids: z.array(iccidSchema).max(namedAtMost) }),
  z.strictObject({ filter: simFilterSchema, except: iccidsSchema(1000).optional() }),
]);
export type SimSelection = z.output<typeof simSelectionSchema>;

/** What would become of a selection: how many change, and how many are refused for which reason. */
export const previewSchema = z.object({
  selected: z.number().int(),
  changing: z.number().int(),
  refused: z.array(
    z.object({
      code: z.string(),
      message: z.string(),
      count: z.number().int(),
      /** The first ones. */
      iccids: z.array(z.string()),
    }),
  ),
});
export type Preview = z.output<typeof previewSchema>;

/** With `preview` nothing is done: the answer says what would be. Without, the work becomes a task. */
const operationBody = z.strictObject({ selection: simSelectionSchema, preview: z.boolean().default(false) });
export const operationAnswerSchema = z.object({
  preview: previewSchema.nullable(),
  task: taskStartedSchema.nullable(),
});
export type OperationAnswer = z.output<typeof operationAnswerSchema>;

const operate = { kind: 'permission', key: 'sim', action: 'operate' } as const;
/** "Only administrators are allowed to perform this operation" (specification, section 6). */
const manage = { kind: 'permission', key: 'sim', action: 'write', refused: 'CB-01-0014' } as const;
const read = { kind: 'permission', key: 'sim', action: 'read' } as const;

const accepted = ['CB-01-0002', 'CB-01-0005', 'CB-01-0010', 'CB-01-0012', 'CB-09-0015'] as const;
/** Reasons for which a single SIM is refused stand in preview and report, not in the answer's code, unless all are. */
const common = { method: 'POST', response: operationAnswerSchema, retry: 'never', maxBodyBytes } as const;
const forOne = ['CB-01-0001', 'CB-01-0009', 'CB-01-0011'] as const satisfies readonly ErrorCode[];

export const simOperationEndpoints = {
  preActiveValidated: endpoint({
    id: 'sim.preActiveValidated',
    method: 'POST',
    path: '/cube/sim/preActiveValidated',
    summary: 'What an activation of these SIMs would do, without doing it',
    access: manage,
    body: z.strictObject({ selection: simSelectionSchema }),
    response: previewSchema,
    errors: ['CB-01-0002', 'CB-01-0010', 'CB-01-0012', 'CB-01-0014'],
    retry: 'safe',
    audit: 'none',
  }),
  activate: endpoint({
    ...common,
    id: 'sim.activate',
    path: '/cube/sim/active',
    summary: 'Activate pre-activated SIMs, up to 1,000: their pending bundle starts',
    access: manage,
    body: operationBody,
    errors: [
      ...accepted,
      'CB-01-0003',
      'CB-01-0004',
      'CB-01-0006',
      'CB-01-0007',
      'CB-01-0008',
      'CB-01-0009',
      'CB-01-0011',
      'CB-01-0014',
    ],
    audit: 'sims.activation-ordered',
  }),
  suspend: endpoint({
    ...common,
    id: 'sim.suspend',
    path: '/cube/sim/suspend',
    summary: 'Suspend active SIMs: sessions end, the network refuses them',
    access: operate,
    body: operationBody,
    errors: [...accepted, 'CB-01-0009', 'CB-01-0011', 'CB-01-0015'],
    audit: 'sims.suspension-ordered',
  }),
  resume: endpoint({
    ...common,
    id: 'sim.resume',
    path: '/cube/sim/resume',
    summary: 'Resume paused SIMs',
    access: operate,
    body: operationBody,
    errors: [...accepted, 'CB-01-0009', 'CB-01-0011', 'CB-01-0016'],
    audit: 'sims.resumption-ordered',
  }),
  reset: endpoint({
    ...common,
    id: 'sim.reset',
    path: '/cube/device/reset',
    summary: 'Disconnect SIMs and clear their sessions, so that the devices register again',
    access: operate,
    body: operationBody,
    errors: [...accepted, 'CB-01-0009', 'CB-01-0011'],
    audit: 'sims.reset-ordered',
  }),
  setDeviceName: endpoint({
    ...common,
    id: 'sim.setDeviceName',
    path: '/cube/sim/deviceName',
    summary: 'Set or clear the device name',
    access: manage,
    body: operationBody.extend({ device_name: deviceNameSchema.nullable() }),
    errors: [...accepted, ...forOne, 'CB-01-0014'],
    audit: 'sims.update-ordered',
  }),
  saveNote: endpoint({
    ...common,
    id: 'sim.saveNote',
    path: '/cube/device/saveNote',
    summary: 'Set or clear the notes',
    access: manage,
    body: operationBody.extend({ notes: notesSchema.nullable() }),
    errors: [...accepted, ...forOne, 'CB-01-0014'],
    audit: 'sims.update-ordered',
  }),
  saveTag: endpoint({
    ...common,
    id: 'sim.saveTag',
    path: '/cube/device/saveTag',
    summary: 'Add and remove tags, up to 5 at once; a SIM has at most 10',
    access: manage,
    body: operationBody.extend({
      add: z.array(tagSchema).max(limits.tags.atOnce).default([]),
      remove: z.array(tagSchema).max(limits.tags.atOnce).default([]),
    }),
    errors: [...accepted, ...forOne, 'CB-01-0014', 'CB-01-0017'],
    audit: 'sims.update-ordered',
  }),
  listTags: endpoint({
    id: 'sim.listTags',
    method: 'POST',
    path: '/cube/device/tag',
    summary: 'Tags in use in the organisation, the most used first',
    access: read,
    body: z.strictObject({ search: searchSchema(limits.tags.length).optional() }),
    response: z.array(z.object({ tag: z.string(), sims: z.number().int() })),
    errors: [],
    retry: 'safe',
    audit: 'none',
  }),
  parseTransfer: endpoint({
    id: 'sim.parseTransfer',
    method: 'POST',
    path: '/cube/sim/transfer/parse/{targetCode}',
    summary:
      'Read a file of ICCIDs for a transfer to an organisation; answers a preview and what the file is kept as',
    access: manage,
    params: z.strictObject({ targetCode: z.string().max(40) }),
    upload: { maxBytes: limits.upload.transferBytes },
    response: z.object({ upload_id: z.string(), preview: previewSchema }),
    errors: ['CB-01-0014', 'CB-01-0018', 'CB-01-0024', 'CB-09-0004', 'CB-09-0021'],
    retry: 'safe',
    audit: 'none',
    weight: 20,
  }),
  transfer: endpoint({
    ...common,
    id: 'sim.transfer',
    path: '/cube/sim/transfer',
    summary: 'Move SIMs, with their orders, to an organisation in which one is an admin',
    access: manage,
    body: z.strictObject({
      target_code: z.string().max(40),
      /** Either a selection, or a file that was read before. */
      selection: simSelectionSchema.optional(),
      upload_id: z.uuid().optional(),
      preview: z.boolean().default(false),
    }),
    errors: [
      ...accepted,
      ...forOne,
      'CB-01-0013',
      'CB-01-0014',
      'CB-01-0018',
      'CB-01-0020',
      'CB-01-0021',
      'CB-01-0024',
      'CB-09-0009',
    ],
    audit: 'sims.transfer-ordered',
  }),
  transferTemplate: endpoint({
    id: 'sim.transferTemplate',
    method: 'GET',
    path: '/cube/sim/transfer/template/{format}',
    summary: 'Empty file for a transfer',
    access: manage,
    params: z.strictObject({ format: templateFormatSchema }),
    response: 'file',
    errors: ['CB-01-0014'],
    retry: 'safe',
  }),
  uploadInfoTemplate: endpoint({
    id: 'sim.uploadInfoTemplate',
    method: 'GET',
    path: '/cube/sim/uploadInfo/template/{format}',
    summary: 'Empty file for an upload of SIM info; its note says how cells are read',
    access: manage,
    params: z.strictObject({ format: templateFormatSchema }),
    response: 'file',
    errors: ['CB-01-0014'],
    retry: 'safe',
  }),
  parseInfo: endpoint({
    id: 'sim.parseInfo',
    method: 'POST',
    path: '/cube/sim/organizationCode/{orgCode}/batchUpdateInfo/parse',
    summary:
      'Read a file of SIM info (ICCID, device name, notes, tags); answers errors by row and what it is kept as',
    access: manage,
    params: z.strictObject({ orgCode: z.string().max(40) }),
    upload: { maxBytes: limits.upload.infoBytes },
    response: z.object({
      upload_id: z.string(),
      rows: z.number().int(),
      preview: previewSchema,
      /**
       * What is wrong with the first rows, by their number in the file (the heading is row 1): with which value, shortened
       * where it is long. A SIM that may not be changed, or is another organisation's, is wrong in its ICCID.
       */
      errors: z.array(
        z.object({
          row: z.number().int(),
          column: z.string(),
          value: z.string(),
          code: z.string(),
          message: z.string(),
        }),
      ),
      /** Rows that would change nothing, as something is wrong with them. */
      wrong_rows: z.number().int(),
      /** The first rows as they would be saved. */
      sample: z.array(
        z.object({
          iccid: z.string(),
          device_name: z.string().nullable(),
          notes: z.string().nullable(),
          tags: z.array(z.string()),
        }),
      ),
    }),
    errors: ['CB-01-0014', 'CB-07-0029', 'CB-09-0004', 'CB-09-0021'],
    retry: 'safe',
    audit: 'none',
    weight: 20,
  }),
  updateInfo: endpoint({
    id: 'sim.updateInfo',
    method: 'POST',
    path: '/cube/sim/organizationCode/{orgCode}/batchUpdateInfo',
    summary: 'Save the rows of a file that was read before; wrong rows are left out and reported',
    access: manage,
    params: z.strictObject({ orgCode: z.string().max(40) }),
    body: z.strictObject({ upload_id: z.uuid() }),
    response: taskStartedSchema,
    errors: ['CB-01-0014', 'CB-07-0029', 'CB-09-0009', 'CB-09-0015'],
    retry: 'never',
    audit: 'sims.update-ordered',
  }),
  exportList: endpoint({
    id: 'sim.exportList',
    method: 'POST',
    path: '/cube/sim/list/export/task',
    summary: 'Export SIMs to a file, up to 100,000; the file is the report of the task',
    access: read,
    body: z.strictObject({ selection: simSelectionSchema, format: fileFormatSchema.default('csv') }),
    maxBodyBytes,
    response: taskStartedSchema,
    errors: ['CB-09-0010', 'CB-09-0011', 'CB-09-0015'],
    retry: 'never',
    audit: 'sims.export-ordered',
  }),
} as const;

/** For whom one SIM is refused, by code. */
export const simRefusals = [
  'CB-01-0003',
  'CB-01-0004',
  'CB-01-0006',
  'CB-01-0007',
  'CB-01-0008',
  'CB-01-0009',
  'CB-01-0011',
  'CB-01-0012',
  'CB-01-0013',
  'CB-01-0015',
  'CB-01-0016',
  'CB-01-0017',
  'CB-01-0020',
  'CB-01-0021',
  'CB-01-0024',
  'CB-01-0030',
] as const satisfies readonly ErrorCode[];
export type SimRefusal = (typeof simRefusals)[number];
