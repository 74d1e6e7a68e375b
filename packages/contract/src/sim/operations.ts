import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { type ErrorCode, otherOrganisationErrors } from '../errors.ts';
import type { IssueKey } from '../issues.ts';
import { limits } from '../limits.ts';
import {
  fileFormatSchema,
  taskStartedSchema,
  templateFormatSchema,
  templateFormats,
  uploadQuerySchema,
} from '../task/schemas.ts';
import { folded, searchSchema } from '../text.ts';
import { deviceNameSchema, newTagSchema, notesSchema, tagSchema } from './schemas.ts';
import {
  agreementShape,
  manageSims,
  operateSims,
  operationBody,
  operationErrors,
  previewSchema,
  selectionBodyBytes,
  simOperation,
  simSelectionSchema,
} from './selection.ts';
import { readSims } from './single-sim.ts';

const tagChanges = z.strictObject({
  add: z.array(newTagSchema).max(limits.tags.atOnce).default([]),
  remove: z.array(tagSchema).max(limits.tags.atOnce).default([]),
});

/** At least one tag is given, and no tag, in whatever case, is both added and removed. */
function checkTags({ add, remove }: { add: string[]; remove: string[] }, context: z.RefinementCtx): void {
  const report = (path: (string | number)[], message: IssueKey) =>
    context.addIssue({ code: 'custom', path, message });
  if (add.length + remove.length === 0) report(['add'], 'required');
  const added = new Set(add.map(folded));
  for (const [index, tag] of remove.entries())
    if (added.has(folded(tag))) report(['remove', index], 'duplicate');
}

export const tagChangesSchema = tagChanges.superRefine(checkTags);

const singleSimErrors = ['CB-01-0001', 'CB-01-0009', 'CB-01-0011'] as const satisfies readonly ErrorCode[];

/** Errors in the rows of a file. */
const rowErrorsShape = {
  /**
   * Errors in the first invalid rows, by row number in the file (the header is row 1), with the value (truncated if long) and
   * what is expected instead. A SIM that may not be changed, or belongs to another organisation, is an error of its ICCID.
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
  /** Number of rows with errors, which are skipped. */
  wrong_rows: z.number().int(),
};

export const simOperationEndpoints = {
  suspend: endpoint({
    ...simOperation,
    id: 'sim.suspend',
    path: '/cube/sim/suspend',
    summary: 'Suspend active SIMs: sessions end, the network rejects them',
    access: operateSims,
    body: operationBody,
    errors: [...operationErrors, 'CB-01-0009', 'CB-01-0011', 'CB-01-0015'],
    audit: 'sims.suspension-ordered',
  }),
  resume: endpoint({
    ...simOperation,
    id: 'sim.resume',
    path: '/cube/sim/resume',
    summary: 'Resume paused SIMs, and SIMs whose data a rule has stopped or slowed',
    access: operateSims,
    body: operationBody,
    errors: [...operationErrors, 'CB-01-0009', 'CB-01-0011', 'CB-01-0016'],
    audit: 'sims.resumption-ordered',
  }),
  terminate: endpoint({
    ...simOperation,
    id: 'sim.terminate',
    path: '/cube/sim/terminate',
    summary: 'Terminate SIMs permanently: sessions and orders end, the network rejects them',
    access: manageSims,
    body: operationBody,
    errors: [...operationErrors, 'CB-01-0009', 'CB-01-0011', 'CB-01-0014', 'CB-01-0026'],
    audit: 'sims.termination-ordered',
  }),
  reset: endpoint({
    ...simOperation,
    id: 'sim.reset',
    path: '/cube/device/reset',
    summary: 'Disconnect SIMs and clear their sessions, so that the devices register again',
    access: operateSims,
    body: operationBody,
    errors: [...operationErrors, 'CB-01-0009', 'CB-01-0011'],
    audit: 'sims.reset-ordered',
  }),
  setDeviceName: endpoint({
    ...simOperation,
    id: 'sim.setDeviceName',
    path: '/cube/sim/deviceName',
    summary: 'Set or clear the device name',
    access: manageSims,
    body: operationBody.extend({ device_name: deviceNameSchema.nullable() }),
    errors: [...operationErrors, ...singleSimErrors, 'CB-01-0014'],
    audit: 'sims.update-ordered',
  }),
  saveNote: endpoint({
    ...simOperation,
    id: 'sim.saveNote',
    path: '/cube/device/saveNote',
    summary: 'Set or clear the notes',
    access: manageSims,
    body: operationBody.extend({ notes: notesSchema.nullable() }),
    errors: [...operationErrors, ...singleSimErrors, 'CB-01-0014'],
    audit: 'sims.update-ordered',
  }),
  saveTag: endpoint({
    ...simOperation,
    id: 'sim.saveTag',
    path: '/cube/device/saveTag',
    summary: 'Add and remove tags, up to 5 at a time; a SIM has at most 10',
    access: manageSims,
    body: operationBody.extend(tagChanges.shape).superRefine(checkTags),
    errors: [...operationErrors, ...singleSimErrors, 'CB-01-0014', 'CB-01-0017'],
    audit: 'sims.update-ordered',
  }),
  listTags: endpoint({
    id: 'sim.listTags',
    method: 'POST',
    path: '/cube/device/tag',
    summary: 'Tags in use in the organisation, most used first',
    access: readSims,
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
    summary: 'Upload a file of ICCIDs for a transfer to an organisation; returns a preview and an upload id',
    access: manageSims,
    params: z.strictObject({ targetCode: z.string().max(40) }),
    query: uploadQuerySchema,
    upload: { maxBytes: limits.upload.transferBytes },
    response: z.object({ upload_id: z.string(), preview: previewSchema, ...rowErrorsShape }),
    errors: [
      'CB-01-0014',
      'CB-01-0018',
      'CB-01-0024',
      'CB-09-0004',
      'CB-09-0021',
      'CB-09-0038',
      ...otherOrganisationErrors,
    ],
    retry: 'safe',
    audit: 'none',
    weight: 20,
  }),
  transfer: endpoint({
    ...simOperation,
    id: 'sim.transfer',
    path: '/cube/sim/transfer',
    summary: 'Move SIMs with their orders to an organisation in which the caller is an admin',
    access: manageSims,
    body: z.strictObject({
      target_code: z.string().max(40),
      /** Either a selection or a file that was uploaded before. */
      selection: simSelectionSchema.optional(),
      upload_id: z.uuid().optional(),
      ...agreementShape,
    }),
    errors: [
      ...operationErrors,
      ...singleSimErrors,
      'CB-01-0013',
      'CB-01-0014',
      'CB-01-0018',
      ...otherOrganisationErrors,
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
    summary: 'Template file for a transfer',
    access: manageSims,
    params: z.strictObject({ format: templateFormatSchema }),
    response: 'file',
    formats: templateFormats,
    errors: ['CB-01-0014'],
    retry: 'safe',
  }),
  uploadInfoTemplate: endpoint({
    id: 'sim.uploadInfoTemplate',
    method: 'GET',
    path: '/cube/sim/uploadInfo/template/{format}',
    summary: 'Template file for an upload of SIM info; its note explains how cells are read',
    access: manageSims,
    params: z.strictObject({ format: templateFormatSchema }),
    response: 'file',
    formats: templateFormats,
    errors: ['CB-01-0014'],
    retry: 'safe',
  }),
  parseInfo: endpoint({
    id: 'sim.parseInfo',
    method: 'POST',
    path: '/cube/sim/organizationCode/{orgCode}/batchUpdateInfo/parse',
    summary:
      'Upload a file of SIM info (ICCID, device name, notes, tags); returns errors by row and an upload id',
    access: manageSims,
    params: z.strictObject({ orgCode: z.string().max(40) }),
    query: uploadQuerySchema,
    upload: { maxBytes: limits.upload.infoBytes },
    response: z.object({
      upload_id: z.string(),
      rows: z.number().int(),
      preview: previewSchema,
      ...rowErrorsShape,
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
    errors: ['CB-01-0014', 'CB-07-0029', 'CB-09-0004', 'CB-09-0021', 'CB-09-0038'],
    retry: 'safe',
    audit: 'none',
    weight: 20,
  }),
  updateInfo: endpoint({
    id: 'sim.updateInfo',
    method: 'POST',
    path: '/cube/sim/organizationCode/{orgCode}/batchUpdateInfo',
    summary: 'Save the rows of a file that was uploaded before; rows with errors are skipped and reported',
    access: manageSims,
    params: z.strictObject({ orgCode: z.string().max(40) }),
    body: z.strictObject({ upload_id: z.uuid() }),
    response: taskStartedSchema,
    errors: ['CB-01-0005', 'CB-01-0014', 'CB-07-0029', 'CB-09-0009', 'CB-09-0015'],
    retry: 'never',
    audit: 'sims.update-ordered',
  }),
  exportList: endpoint({
    id: 'sim.exportList',
    method: 'POST',
    path: '/cube/sim/list/export/task',
    summary: 'Export SIMs to a file, up to 100,000; the file is the report of the task',
    access: readSims,
    body: z.strictObject({ selection: simSelectionSchema, format: fileFormatSchema.default('csv') }),
    maxBodyBytes: selectionBodyBytes,
    response: taskStartedSchema,
    errors: ['CB-09-0010', 'CB-09-0011', 'CB-09-0015'],
    retry: 'never',
    audit: 'sims.export-ordered',
  }),
} as const;

/** Codes with which a single SIM can be refused. */
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
  'CB-01-0026',
  'CB-01-0029',
  'CB-01-0030',
  'CB-02-0002',
  'CB-02-0003',
  'CB-02-0004',
  'CB-02-0005',
  'CB-02-0006',
  'CB-02-0007',
  'CB-02-0008',
  'CB-03-0003',
  'CB-03-0004',
  'CB-03-0005',
  'CB-03-0006',
  'CB-03-0008',
  'CB-04-0001',
  'CB-04-0002',
  'CB-04-0003',
  'CB-04-0004',
  'CB-04-0005',
] as const satisfies readonly ErrorCode[];
export type SimRefusal = (typeof simRefusals)[number];
