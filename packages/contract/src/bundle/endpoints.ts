import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import type { ErrorCode } from '../errors.ts';
import { bytesSchema, iccidSchema } from '../identifiers.ts';
import type { IssueKey } from '../issues.ts';
import { limits } from '../limits.ts';
import { checkOrder } from '../order.ts';
import { pageSchema, sortedPageSchema } from '../paging.ts';
import { amountSchema } from '../price/cost.ts';
import { simDetailsSchema } from '../sim/detail-schemas.ts';
import {
  manageSims,
  operationBody,
  operationErrors,
  operationResponseSchema,
  previewSchema,
  simOperation,
  simSelectionSchema,
} from '../sim/selection.ts';
import {
  daysSchema,
  exportErrors,
  readSims,
  simExportParams,
  simFileCall,
  simNotFound,
  simParams,
} from '../sim/single-sim.ts';
import { fileFormatSchema, taskStartedSchema } from '../task/schemas.ts';
import { searchSchema } from '../text.ts';
import {
  activationLineSchema,
  bundleChangeTimes,
  bundleTypes,
  countryUsageSchema,
  coverageSchema,
  cycleSchema,
  offeredBundleSchema,
  orderLineSchema,
  overusePolicySchema,
  serviceFilterSchema,
  serviceSchema,
  serviceSorts,
} from './schemas.ts';

const required = 'required' satisfies IssueKey;

/**
 * Preview of a selection, with the orders that would be placed. The digest includes bundles, quantities, start times and prices:
 * an order that contains it is refused (CB-02-0009) if its result would now differ, for example because the same was already
 * ordered.
 */
const orderPreviewSchema = previewSchema.extend({
  /** The most frequent lines. */
  lines: z.array(orderLineSchema).max(limits.previewSample),
});

/** Preview of an activation, with the bundles that would start and their prices. */
const activationPreviewSchema = previewSchema.extend({
  /** The most frequent lines. */
  activations: z.array(activationLineSchema).max(limits.previewSample),
});

const bundleOrder = {
  ...simOperation,
  access: manageSims,
  response: operationResponseSchema.extend({ preview: orderPreviewSchema.nullable() }),
} as const;
const orderErrors = [
  ...operationErrors,
  'CB-01-0009',
  'CB-01-0011',
  'CB-01-0014',
  'CB-02-0002',
  'CB-02-0003',
  'CB-02-0009',
] as const satisfies readonly ErrorCode[];
const bundleCode = z.string().max(40);

/** Cost of the current cycle so far, for the order in use; null without a price. */
const cycleCostSchema = amountSchema.nullable();

const orderId = z.string().regex(/^\d{1,18}$/);

/** Bundles of SIMs: orders (the specification's "services"), cycles, coverage, activation. */
export const bundleEndpoints = {
  simDetails: endpoint({
    id: 'bundle.simDetails',
    method: 'GET',
    path: '/cube/sim/details',
    summary: 'All details of one SIM in one response: basic data, connection and orders',
    access: readSims,
    query: simParams,
    response: simDetailsSchema,
    errors: simNotFound,
    retry: 'safe',
  }),
  listServices: endpoint({
    id: 'bundle.listServices',
    method: 'GET',
    path: '/cube/sim/service',
    summary: 'Bundle orders of one SIM; orders in use and pending ones first',
    access: readSims,
    query: simParams.extend(pageSchema.shape),
    response: z.array(serviceSchema),
    list: true,
    errors: simNotFound,
    retry: 'safe',
  }),
  current: endpoint({
    id: 'bundle.current',
    method: 'GET',
    path: '/cube/sim/bundle',
    summary: 'The basic order in use with its cycle, and the supplementary orders in use',
    access: readSims,
    query: simParams,
    response: z.object({ basic: serviceSchema.nullable(), supplementary: z.array(serviceSchema) }),
    errors: simNotFound,
    retry: 'safe',
  }),
  listPackages: endpoint({
    id: 'bundle.listPackages',
    method: 'GET',
    path: '/cube/sim/getAllPackageService/{iccid}',
    summary: 'All bundles that the SIM has or had, without duplicates, for filters',
    access: readSims,
    params: simParams,
    response: z.array(
      z.object({ code: z.string(), name: z.string(), type: z.enum(bundleTypes), orders: z.number().int() }),
    ),
    errors: simNotFound,
    retry: 'safe',
  }),
  detail: endpoint({
    id: 'bundle.detail',
    method: 'GET',
    path: '/cube/sim/bundle/detail/{iccid}/{orderId}/{bundleCode}',
    summary: 'One order with its policies and coverage',
    access: readSims,
    params: z.strictObject({ iccid: iccidSchema, orderId, bundleCode: z.string().max(40) }),
    response: serviceSchema.extend({ coverage: coverageSchema }),
    errors: ['CB-01-0001', 'CB-02-0001'],
    retry: 'safe',
  }),
  coverage: endpoint({
    id: 'bundle.coverage',
    method: 'GET',
    path: '/cube/sim/bundle/coverage/{iccid}',
    summary: 'Where the bundle in use is valid, with the usage of the cycle by country',
    access: readSims,
    params: simParams,
    response: coverageSchema.extend({ usage: z.array(countryUsageSchema) }),
    errors: simNotFound,
    retry: 'safe',
  }),
  overusePolicy: endpoint({
    id: 'bundle.overusePolicy',
    method: 'GET',
    path: '/cube/sim/bundle/overuse_policy/{iccid}',
    summary: 'Policy for usage beyond the quota, and whether it applies now',
    access: readSims,
    params: simParams,
    response: overusePolicySchema,
    errors: simNotFound,
    retry: 'safe',
  }),
  listOrders: endpoint({
    id: 'bundle.listOrders',
    method: 'POST',
    path: '/cube/device/bundle',
    summary: 'Bundle orders of one SIM with the usage of each',
    access: readSims,
    body: simParams.extend(pageSchema.shape),
    response: z.array(serviceSchema.extend({ used_bytes: bytesSchema, cost: cycleCostSchema })),
    list: true,
    errors: simNotFound,
    retry: 'safe',
    audit: 'none',
  }),
  exportOrders: endpoint({
    ...simFileCall,
    id: 'bundle.exportOrders',
    path: '/cube/device/bundle/export',
    summary: 'The same as a file',
    body: simExportParams,
    errors: exportErrors,
  }),
  listCycles: endpoint({
    id: 'bundle.listCycles',
    method: 'POST',
    path: '/cube/device/cycle',
    summary: 'Cycles of one SIM, newest first',
    access: readSims,
    body: simParams.extend(pageSchema.shape),
    response: z.array(cycleSchema),
    list: true,
    errors: simNotFound,
    retry: 'safe',
    audit: 'none',
  }),
  exportCycles: endpoint({
    ...simFileCall,
    id: 'bundle.exportCycles',
    path: '/cube/device/cycle/export',
    summary: 'The same as a file',
    body: simExportParams,
    errors: exportErrors,
  }),
  exportCoverage: endpoint({
    ...simFileCall,
    id: 'bundle.exportCoverage',
    path: '/cube/device/coverCountry/export',
    summary: 'Usage of one SIM by country, covered or not, in its running cycle or on some days, as a file',
    body: simExportParams
      .extend(daysSchema.partial().shape)
      .refine(({ from, to }) => from !== undefined || to === undefined, { error: required, path: ['from'] })
      .refine(({ from, to }) => from === undefined || to !== undefined, { error: required, path: ['to'] }),
    errors: exportErrors,
  }),
  list: endpoint({
    id: 'bundle.list',
    method: 'POST',
    path: '/cube/sim/service/list',
    summary: 'Bundle orders of all SIMs of the organisation',
    access: readSims,
    body: sortedPageSchema(serviceSorts).extend(serviceFilterSchema.shape).superRefine(checkOrder),
    response: z.array(serviceSchema.extend({ device_name: z.string().nullable(), cost: cycleCostSchema })),
    list: true,
    errors: [],
    retry: 'safe',
    audit: 'none',
  }),
  exportList: endpoint({
    id: 'bundle.exportList',
    method: 'POST',
    path: '/cube/sim/service/list/export',
    summary: 'Export the orders to a file, up to 100,000; the file is the report of the task',
    access: readSims,
    body: z.strictObject({
      filter: serviceFilterSchema.superRefine(checkOrder),
      format: fileFormatSchema.default('csv'),
    }),
    response: taskStartedSchema,
    errors: ['CB-09-0010', 'CB-09-0011', 'CB-09-0015'],
    retry: 'never',
    audit: 'sims.export-ordered',
  }),
  previewActivation: endpoint({
    id: 'bundle.previewActivation',
    method: 'POST',
    path: '/cube/sim/preActiveValidated',
    summary: 'Preview of an activation of these SIMs',
    access: manageSims,
    body: z.strictObject({ selection: simSelectionSchema }),
    response: activationPreviewSchema,
    errors: ['CB-01-0002', 'CB-01-0010', 'CB-01-0012', 'CB-01-0014'],
    retry: 'safe',
    audit: 'none',
  }),
  activate: endpoint({
    ...simOperation,
    id: 'bundle.activate',
    path: '/cube/sim/active',
    summary: 'Activate pre-activated SIMs, up to 1,000: their pending bundle starts',
    access: manageSims,
    body: operationBody,
    response: operationResponseSchema.extend({ preview: activationPreviewSchema.nullable() }),
    errors: [
      ...operationErrors,
      'CB-01-0003',
      'CB-01-0004',
      'CB-01-0006',
      'CB-01-0007',
      'CB-01-0008',
      'CB-01-0009',
      'CB-01-0011',
      'CB-01-0014',
      'CB-02-0009',
    ],
    audit: 'sims.activation-ordered',
  }),
  listOffered: endpoint({
    id: 'bundle.listOffered',
    method: 'GET',
    path: '/cube/sim/bundle/catalogue',
    summary: 'Bundles of the catalogue that administrators may order, by name',
    access: manageSims,
    query: pageSchema.extend({
      kind: z.enum(['basic', 'supplementary']).default('basic'),
      /** Part of the name or code. */
      search: searchSchema(60).optional(),
    }),
    response: z.array(offeredBundleSchema),
    list: true,
    errors: ['CB-01-0014'],
    retry: 'safe',
  }),
  renew: endpoint({
    ...bundleOrder,
    id: 'bundle.renew',
    path: '/cube/sim/renew',
    summary:
      'Order the same bundle again: a prepaid one starts after the one in use; any bundle makes expired SIMs active',
    body: operationBody,
    errors: [...orderErrors, 'CB-02-0004', 'CB-02-0005', 'CB-02-0006'],
    audit: 'sims.renewal-ordered',
  }),
  topUp: endpoint({
    ...bundleOrder,
    id: 'bundle.topUp',
    path: '/cube/sim/topUp',
    summary:
      'Order a supplementary bundle: its quota is available immediately, or when a paused SIM is resumed',
    body: operationBody.extend({ bundle_code: bundleCode }),
    errors: [...orderErrors, 'CB-02-0008', 'CB-03-0008'],
    audit: 'sims.top-up-ordered',
  }),
  change: endpoint({
    ...bundleOrder,
    id: 'bundle.change',
    path: '/cube/sim/changeBundle',
    summary: 'Order another basic bundle: it starts after the one in use, or replaces it immediately',
    body: operationBody.extend({
      bundle_code: bundleCode,
      when: z.enum(bundleChangeTimes).default('at-end'),
    }),
    errors: [...orderErrors, 'CB-02-0004', 'CB-02-0005', 'CB-02-0007'],
    audit: 'sims.bundle-change-ordered',
  }),
} as const;
