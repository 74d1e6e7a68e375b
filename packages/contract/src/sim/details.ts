import { z } from 'zod';
import {
  bundleTypes,
  outOfCoveragePolicies,
  overagePolicies,
  resetCycles,
  serviceStatuses,
} from '../bundle/schemas.ts';
import { endpoint } from '../endpoint.ts';
import { bytesSchema, dateSchema, iccidSchema, instantSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { pageSchema, sortedPageSchema } from '../paging.ts';
import { fileFormatSchema, taskStartedSchema } from '../task/schemas.ts';
import {
  chipGrades,
  networkSchema,
  simBasicSchema,
  simConnectionSchema,
  simFilterSchema,
  technologies,
} from './schemas.ts';

const read = { kind: 'permission', key: 'sim', action: 'read' } as const;
const ofSim = z.object({ iccid: iccidSchema });
const notFound = ['CB-01-0001'] as const;
const orderId = z.string().regex(/^\d{1,18}$/);

/** A bundle order, the specification's "service". */
export const serviceSchema = z.object({
  order_id: z.string(),
  iccid: z.string(),
  bundle: z.object({ name: z.string(), code: z.string(), sku: z.string(), type: z.enum(bundleTypes) }),
  status: z.enum(serviceStatuses),
  quota_bytes: bytesSchema.nullable(),
  overage_policy: z.enum(overagePolicies),
  out_of_coverage_policy: z.enum(outOfCoveragePolicies),
  reset_cycle: z.enum(resetCycles),
  sales_order_id: z.string().nullable(),
  ordered_at: instantSchema,
  activated_at: instantSchema.nullable(),
  expires_at: instantSchema.nullable(),
  /** Of the cycle that runs, for the order in use. */
  cycle: z
    .object({
      started_at: instantSchema,
      ends_at: instantSchema,
      used_bytes: bytesSchema,
      limit_bytes: bytesSchema.nullable(),
    })
    .nullable(),
});
export type Service = z.output<typeof serviceSchema>;

export const serviceSorts = ['ordered_at', 'activated_at', 'expires_at', 'iccid'] as const;
export const serviceFilterSchema = z.object({
  /** Part of ICCID, device name or sales order. */
  search: z.string().trim().max(60).optional(),
  status: z.array(z.enum(serviceStatuses)).max(serviceStatuses.length).optional(),
  type: z.array(z.enum(bundleTypes)).max(bundleTypes.length).optional(),
  bundle: z.array(z.string().max(40)).max(20).optional(),
  ordered_from: instantSchema.optional(),
  ordered_to: instantSchema.optional(),
  expires_from: instantSchema.optional(),
  expires_to: instantSchema.optional(),
});
export type ServiceFilter = z.output<typeof serviceFilterSchema>;

/** One cycle of a SIM, the running one included. */
export const cycleSchema = z.object({
  started_at: instantSchema,
  ends_at: instantSchema,
  used_bytes: bytesSchema,
  limit_bytes: bytesSchema.nullable(),
  current: z.boolean(),
  /** Late records may still come. */
  provisional: z.boolean(),
});
export type Cycle = z.output<typeof cycleSchema>;

export const coverageSchema = z.object({
  /** Empty: everywhere. */
  countries: z.array(z.string().length(2)),
  out_of_coverage_policy: z.enum(outOfCoveragePolicies),
});

export const statusTraceSchema = z.object({
  id: z.string(),
  at: instantSchema,
  kind: z.string(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  actor: z.string().nullable(),
  task_id: z.string().nullable(),
  trace_id: z.string().nullable(),
});
export type StatusTrace = z.output<typeof statusTraceSchema>;

export const simSessionSchema = z.object({
  id: z.string(),
  started_at: instantSchema,
  updated_at: instantSchema,
  stopped_at: instantSchema.nullable(),
  terminate_cause: z.string().nullable(),
  up_bytes: bytesSchema,
  down_bytes: bytesSchema,
  ip: z.string().nullable(),
  apn: z.string().nullable(),
  imei: z.string().nullable(),
  network: networkSchema.nullable(),
  cell: z.string().nullable(),
});

export type SimSession = z.output<typeof simSessionSchema>;

const countryUsageSchema = z.object({
  country: z.string().nullable(),
  bytes: bytesSchema,
  covered: z.boolean(),
});

const range = z.object({ from: dateSchema, to: dateSchema });
const exportBody = ofSim.extend({ format: fileFormatSchema.default('csv') });
const exportErrors = ['CB-01-0001', 'CB-09-0010', 'CB-09-0011'] as const;
/** Section 8: what an export of one SIM may hold fits an answer; the file comes at once. */
const file = {
  method: 'POST',
  access: read,
  response: 'file',
  retry: 'safe',
  audit: 'none',
  weight: 10,
} as const;

/** Lights of a diagnose report: fine, look at it, broken, can't be told. */
export const lights = ['good', 'warning', 'bad', 'unknown'] as const;
export type Light = (typeof lights)[number];
export const diagnoseChecks = [
  'card',
  'lifecycle',
  'order',
  'quota',
  'authorisation',
  'registration',
  'session',
  'apn',
  'ip',
  'imei',
  'coverage',
  'rejects',
] as const;
export type DiagnoseCheck = (typeof diagnoseChecks)[number];

export const diagnoseSchema = z.object({
  iccid: z.string(),
  device_name: z.string().nullable(),
  organisation: z.string(),
  made_at: instantSchema,
  overall: z.enum(lights),
  checks: z.array(
    z.object({
      check: z.enum(diagnoseChecks),
      light: z.enum(lights),
      /** Phrase `diagnose.findings.<finding>` says what is so, `diagnose.advice.<finding>` what to do. */
      finding: z.string(),
      facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
      /** The same in the caller's language. */
      sentence: z.string(),
      advice: z.string().nullable(),
    }),
  ),
});
export type Diagnose = z.output<typeof diagnoseSchema>;

export const savedViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  filter: simFilterSchema,
  created_at: instantSchema,
});
export type SavedView = z.output<typeof savedViewSchema>;

export const simDetailEndpoints = {
  details: endpoint({
    id: 'sim.details',
    method: 'GET',
    path: '/cube/sim/details',
    summary: 'Everything about one SIM in one answer: basic, connection and its orders',
    access: read,
    query: ofSim,
    response: z.object({
      basic: simBasicSchema,
      connection: simConnectionSchema,
      services: z.array(serviceSchema),
      location: z
        .object({ latitude: z.number(), longitude: z.number(), cell: z.string(), at: instantSchema })
        .nullable(),
    }),
    errors: notFound,
    retry: 'safe',
  }),
  service: endpoint({
    id: 'sim.service',
    method: 'GET',
    path: '/cube/sim/service',
    summary: 'Bundle orders of one SIM, those in use and pending first',
    access: read,
    query: ofSim.extend(pageSchema.shape),
    response: z.array(serviceSchema),
    list: true,
    errors: notFound,
    retry: 'safe',
  }),
  bundle: endpoint({
    id: 'sim.bundle',
    method: 'GET',
    path: '/cube/sim/bundle',
    summary: 'The basic order in use with its cycle, and supplementary ones beside it',
    access: read,
    query: ofSim,
    response: z.object({ basic: serviceSchema.nullable(), supplementary: z.array(serviceSchema) }),
    errors: notFound,
    retry: 'safe',
  }),
  allPackageService: endpoint({
    id: 'sim.allPackageService',
    method: 'GET',
    path: '/cube/sim/getAllPackageService/{iccid}',
    summary: 'All bundles that the SIM had or has, each once, for filters',
    access: read,
    params: ofSim,
    response: z.array(
      z.object({ code: z.string(), name: z.string(), type: z.enum(bundleTypes), orders: z.number().int() }),
    ),
    errors: notFound,
    retry: 'safe',
  }),
  bundleDetail: endpoint({
    id: 'sim.bundleDetail',
    method: 'GET',
    path: '/cube/sim/bundle/detail/{iccid}/{orderId}/{bundleCode}',
    summary: 'One order with its policies and coverage',
    access: read,
    params: z.object({ iccid: iccidSchema, orderId, bundleCode: z.string().max(40) }),
    response: serviceSchema.extend({ coverage: coverageSchema }),
    errors: ['CB-01-0001', 'CB-02-0001'],
    retry: 'safe',
  }),
  bundleCoverage: endpoint({
    id: 'sim.bundleCoverage',
    method: 'GET',
    path: '/cube/sim/bundle/coverage/{iccid}',
    summary: 'Where the bundle in use is valid, with the usage of the cycle by country',
    access: read,
    params: ofSim,
    response: coverageSchema.extend({ usage: z.array(countryUsageSchema) }),
    errors: notFound,
    retry: 'safe',
  }),
  bundleOverusePolicy: endpoint({
    id: 'sim.bundleOverusePolicy',
    method: 'GET',
    path: '/cube/sim/bundle/overuse_policy/{iccid}',
    summary: 'What happens over the quota, and whether it does now',
    access: read,
    params: ofSim,
    response: z.object({
      policy: z.enum(overagePolicies).nullable(),
      slow_kbps: z.number().int().nullable(),
      threshold_bytes: bytesSchema.nullable(),
      over_limit: z.boolean(),
      data_state: z.enum(['open', 'slowed', 'stopped']),
    }),
    errors: notFound,
    retry: 'safe',
  }),
  belongOrg: endpoint({
    id: 'sim.belongOrg',
    method: 'GET',
    path: '/cube/sim/belong_org/{iccid}',
    summary: 'The organisation that the SIM belongs to, and those above it that the caller may see',
    access: read,
    params: ofSim,
    response: z.object({ path: z.array(z.object({ code: z.string(), name: z.string() })) }),
    errors: notFound,
    retry: 'safe',
  }),
  spec: endpoint({
    id: 'sim.spec',
    method: 'GET',
    path: '/cube/sim/spec/{iccid}',
    summary: 'What the card itself is',
    access: read,
    params: ofSim,
    response: z.object({
      iccid: z.string(),
      chip_grade: z.enum(chipGrades).nullable(),
      technology: z.enum(technologies).nullable(),
      delivery_note_number: z.string().nullable(),
      shipment_on: dateSchema.nullable(),
      issuer_country: z.string().nullable(),
    }),
    errors: notFound,
    retry: 'safe',
  }),
  statusTrace: endpoint({
    id: 'sim.statusTrace',
    method: 'GET',
    path: '/cube/sim/statusTrace',
    summary: 'Changes of lifecycle, orders, device and network as a timeline, newest first',
    access: read,
    query: ofSim.extend(pageSchema.shape),
    response: z.array(statusTraceSchema),
    list: true,
    errors: ['CB-01-0001', 'CB-00-0406'],
    retry: 'safe',
  }),
  statusTraceDownload: endpoint({
    id: 'sim.statusTraceDownload',
    method: 'GET',
    path: '/cube/sim/statusTraceDownload',
    summary: 'The same as a file',
    access: read,
    query: exportBody,
    response: 'file',
    errors: exportErrors,
    retry: 'safe',
    weight: 10,
  }),
  sessions: endpoint({
    id: 'sim.sessions',
    method: 'GET',
    path: '/cube/sim/sessions',
    summary: 'Sessions of one SIM, newest first',
    access: read,
    query: ofSim.extend(pageSchema.shape),
    response: z.array(simSessionSchema),
    list: true,
    errors: ['CB-01-0001', 'CB-00-0406'],
    retry: 'safe',
  }),
  deviceBundle: endpoint({
    id: 'sim.deviceBundle',
    method: 'POST',
    path: '/cube/device/bundle',
    summary: 'Bundle orders of one SIM with the usage of each',
    access: read,
    body: ofSim.extend(pageSchema.shape),
    response: z.array(serviceSchema.extend({ used_bytes: bytesSchema })),
    list: true,
    errors: notFound,
    retry: 'safe',
    audit: 'none',
  }),
  deviceBundleExport: endpoint({
    ...file,
    id: 'sim.deviceBundleExport',
    path: '/cube/device/bundle/export',
    summary: 'The same as a file',
    body: exportBody,
    errors: exportErrors,
  }),
  deviceCycle: endpoint({
    id: 'sim.deviceCycle',
    method: 'POST',
    path: '/cube/device/cycle',
    summary: 'Cycles of one SIM, newest first',
    access: read,
    body: ofSim.extend(pageSchema.shape),
    response: z.array(cycleSchema),
    list: true,
    errors: notFound,
    retry: 'safe',
    audit: 'none',
  }),
  deviceCycleExport: endpoint({
    ...file,
    id: 'sim.deviceCycleExport',
    path: '/cube/device/cycle/export',
    summary: 'The same as a file',
    body: exportBody,
    errors: exportErrors,
  }),
  deviceCoverCountryExport: endpoint({
    ...file,
    id: 'sim.deviceCoverCountryExport',
    path: '/cube/device/coverCountry/export',
    summary: 'Usage of one SIM by country, covered or not, as a file',
    body: exportBody.extend(range.shape),
    errors: exportErrors,
  }),
  usageExport: endpoint({
    ...file,
    id: 'sim.usageExport',
    path: '/cube/device/usage/export',
    summary: 'Usage of one SIM by hour, day or month as a file',
    body: exportBody
      .extend(range.shape)
      .extend({ granularity: z.enum(['hour', 'day', 'month']).default('day') }),
    errors: exportErrors,
  }),
  serviceList: endpoint({
    id: 'sim.serviceList',
    method: 'POST',
    path: '/cube/sim/service/list',
    summary: 'Bundle orders of all SIMs of the organisation',
    access: read,
    body: sortedPageSchema(serviceSorts).extend(serviceFilterSchema.shape),
    response: z.array(serviceSchema.extend({ device_name: z.string().nullable() })),
    list: true,
    errors: ['CB-00-0406'],
    retry: 'safe',
    audit: 'none',
  }),
  serviceListExport: endpoint({
    id: 'sim.serviceListExport',
    method: 'POST',
    path: '/cube/sim/service/list/export',
    summary: 'Export the orders to a file, up to 100,000; the file is the report of the task',
    access: read,
    body: z.object({ filter: serviceFilterSchema, format: fileFormatSchema.default('csv') }),
    response: taskStartedSchema,
    errors: ['CB-09-0010', 'CB-09-0011', 'CB-09-0015'],
    retry: 'never',
    audit: 'sims.export-ordered',
  }),
  resolveIdentifiers: endpoint({
    id: 'sim.resolveIdentifiers',
    method: 'POST',
    path: '/cube/sim/list/identifiers',
    summary: 'Which of up to 10,000 ICCIDs, IMSIs or MSISDNs are SIMs of the organisation, and which are not',
    access: read,
    body: z.object({ identifiers: z.array(z.string().trim().max(60)).min(1).max(limits.bulkSearch) }),
    response: z.object({
      iccids: z.array(z.string()),
      not_found: z.array(z.string()),
      duplicates: z.number().int(),
    }),
    errors: [],
    retry: 'safe',
    audit: 'none',
  }),
  readIdentifiers: endpoint({
    id: 'sim.readIdentifiers',
    method: 'POST',
    path: '/cube/sim/list/identifiers/file',
    summary: 'The identifiers of the first column of a file, up to 10,000',
    access: read,
    upload: { maxBytes: limits.upload.transferBytes },
    response: z.object({ identifiers: z.array(z.string()) }),
    errors: [
      'CB-09-0001',
      'CB-09-0002',
      'CB-09-0003',
      'CB-09-0005',
      'CB-09-0006',
      'CB-09-0007',
      'CB-09-0008',
    ],
    retry: 'safe',
    audit: 'none',
    weight: 10,
  }),
  listViews: endpoint({
    id: 'sim.listViews',
    method: 'GET',
    path: '/cube/sim/views',
    summary: "One's own saved views of the SIM list in this organisation",
    access: read,
    response: z.array(savedViewSchema),
    errors: [],
    retry: 'safe',
  }),
  saveView: endpoint({
    id: 'sim.saveView',
    method: 'POST',
    path: '/cube/sim/views',
    summary: 'Save a filter under a name; an existing one of that name is refused',
    access: read,
    body: z.object({ name: z.string().trim().min(1).max(limits.savedViews.name), filter: simFilterSchema }),
    response: savedViewSchema,
    errors: ['CB-01-0022', 'CB-01-0023'],
    retry: 'never',
    audit: 'view.saved',
  }),
  removeView: endpoint({
    id: 'sim.removeView',
    method: 'DELETE',
    path: '/cube/sim/views/{viewId}',
    summary: 'Remove a saved view',
    access: read,
    params: z.object({ viewId: orderId }),
    response: z.null(),
    errors: ['CB-00-0404'],
    retry: 'safe',
    audit: 'view.removed',
  }),
  diagnose: endpoint({
    id: 'sim.diagnose',
    method: 'GET',
    path: '/cube/sim/diagnose',
    summary: 'What is wrong with a SIM, if anything, and what to do',
    access: read,
    query: ofSim,
    response: diagnoseSchema,
    errors: notFound,
    retry: 'safe',
  }),
  shareDiagnose: endpoint({
    id: 'sim.shareDiagnose',
    method: 'POST',
    path: '/cube/sim/diagnose/share',
    summary:
      'Keep the report as it is now under an unguessable id, for three days, for somebody without sign-in',
    access: read,
    body: ofSim,
    response: z.object({ id: z.string(), expires_at: instantSchema }),
    errors: notFound,
    retry: 'never',
    audit: 'diagnose-link.made',
    // The id is all that it takes to read the report.
    confidential: true,
    weight: 10,
  }),
  publicDiagnose: endpoint({
    id: 'sim.publicDiagnose',
    method: 'GET',
    path: '/public-sphere/cube/sims/diagnose/{linkId}',
    summary: 'A report that was shared',
    access: { kind: 'public' },
    params: z.object({ linkId: z.string().min(20).max(100) }),
    response: diagnoseSchema,
    errors: ['CB-01-0019'],
    retry: 'safe',
    weight: 5,
  }),
  publicDiagnosePdf: endpoint({
    id: 'sim.publicDiagnosePdf',
    method: 'GET',
    path: '/public-sphere/cube/sims/diagnose/{linkId}/pdf',
    summary: 'The same as a PDF in the language of the request',
    access: { kind: 'public' },
    params: z.object({ linkId: z.string().min(20).max(100) }),
    response: 'file',
    errors: ['CB-01-0019'],
    retry: 'safe',
    weight: 20,
  }),
} as const;
