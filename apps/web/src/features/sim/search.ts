import { bytesSchema, limits } from '@simcube/contract';
import {
  chipGrades,
  connectionSchema,
  connections,
  costSchema,
  emptiableFields,
  lifecycleSchema,
  lifecycles,
  radioTypeSchema,
  radioTypes,
  restrictedDataStates,
  type SimFilter,
  simFilterSchema,
  simSorts,
  simTraceTopics,
  tagSchema,
  technologies,
} from '@simcube/contract/sim';
import { taskReferenceSchema } from '@simcube/contract/task';
import { z } from 'zod';
import { listKeySchema } from '../../lib/list-store/index.ts';
import {
  dayParam,
  instantParam,
  numberParam,
  pageParams,
  someOf,
  textParam,
} from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';
import { findIdentifierList, storeIdentifierList } from './identifier-lists.ts';
import { operations } from './operations/operation-names.ts';

export const ipSchema = simFilterSchema.shape.ip.unwrap();
const plmnSchema = simFilterSchema.shape.operator.unwrap().element;
const countrySchema = simFilterSchema.shape.country.unwrap().element;
const shortText = textParam(60);
const emptiable = someOf(z.enum(emptiableFields), emptiableFields.length);
const bytes = numberParam(bytesSchema);
const cost = numberParam(costSchema);
const percent = numberParam(z.number().min(0).max(10_000));

/** Names as in the request's filter, except a few older, shorter ones. */
export const simSearch = listSearch({
  filters: {
    search: shortText,
    lifecycle: someOf(lifecycleSchema, lifecycles.length),
    connection: someOf(connectionSchema, connections.length),
    tags: someOf(tagSchema, limits.tags.perSim),
    /** Codes or names. */
    bundle: someOf(z.string().trim().min(1).max(60), 20),
    /** Minimum percentage of the limit used. */
    usage: percent,
    usage_percent_max: percent,
    usage_bytes_min: bytes,
    usage_bytes_max: bytes,
    /** In the currency of the organisation's tariff. */
    cost_min: cost,
    cost_max: cost,
    /** Ends within this number of days. */
    expires: numberParam(z.int().min(0).max(365)),
    over: z.enum(['yes', 'no']),
    data_state: someOf(z.enum(restrictedDataStates), restrictedDataStates.length),
    /** A2P MT SMS. */
    sms: z.enum(['suspended', 'open']),
    device_name: shortText,
    notes: shortText,
    delivery_note_number: shortText,
    chip_grade: someOf(z.enum(chipGrades), chipGrades.length),
    technology: someOf(z.enum(technologies), technologies.length),
    apn: shortText,
    ip: ipSchema,
    country: someOf(countrySchema, 50),
    operator: someOf(plmnSchema, 50),
    radio: someOf(radioTypeSchema, radioTypes.length),
    shipment_from: dayParam,
    shipment_to: dayParam,
    activated_from: instantParam,
    activated_to: instantParam,
    expires_from: instantParam,
    expires_to: instantParam,
    last_session_from: instantParam,
    last_session_to: instantParam,
    imei_changed_within_days: numberParam(z.int().min(1).max(90)),
    empty: emptiable,
    not_empty: emptiable,
    /** Reference of a task that included the SIMs. */
    task: taskReferenceSchema,
    /** The key under which this tab stores a pasted or uploaded list, which is too long for a URL. */
    list: listKeySchema,
  },
  /** A dialog that the URL opens, once: chosen in the command palette. */
  overlays: { start: z.enum(['export', 'uploadInfo', 'transferByFile']) },
  preserved: { view: z.string().regex(/^\d{1,18}$/) },
  sorts: simSorts,
  starts: { usage: 'usage_percent_min' },
});
export type SimSearch = SearchOf<typeof simSearch>;

export const simTabs = [
  'overview',
  'usage',
  'bundles',
  'events',
  'trace',
  'sms',
  'sessions',
  'location',
] as const;
export type SimTab = (typeof simTabs)[number];
export const usageRanges = ['today', '7d', '30d', '6m', 'custom'] as const;
export type UsageRange = (typeof usageRanges)[number];
export const granularities = ['hour', 'day', 'month'] as const;
export type Granularity = (typeof granularities)[number];
/** Topics of entries in the status trace. */
export const traceTopics = [...simTraceTopics, 'other'] as const;
export type TraceTopic = (typeof traceTopics)[number];

export const simDetailSearchSchema = z.object({
  tab: z.enum(simTabs).optional().catch(undefined),
  /** Usage tab. */
  range: z.enum(usageRanges).optional().catch(undefined),
  from: dayParam,
  to: dayParam,
  per: z.enum(granularities).optional().catch(undefined),
  /** Events and sessions tabs, and the orders of the bundles tab. */
  ...pageParams,
  /** Bundles tab: the open order, and the code of its bundle. */
  order: z.coerce
    .string()
    .regex(/^\d{1,18}$/)
    .optional()
    .catch(undefined),
  bundle: textParam(40),
  /** Page of the cycles, below the orders. */
  cycles: pageParams.page,
  /** Status trace. */
  about: someOf(z.enum(traceTopics), traceTopics.length),
  /** The operation whose dialog the URL opens, once. */
  operation: z.enum(operations).optional().catch(undefined),
  /** The diagnosis is open over the page. */
  diagnose: z.literal('open').optional().catch(undefined),
});
export type SimDetailSearch = z.output<typeof simDetailSearchSchema>;

/** The list's filter in the server's format; includes the SIMs of a stored list, or none if the list is not known. */
export const simFilterOf = (search: SimSearch): SimFilter => {
  const { usage, expires, over, sms, list, ...rest } = simSearch.filterOf(search);
  return {
    ...rest,
    usage_percent_min: usage,
    expires_within_days: expires,
    over_limit: over === undefined ? undefined : over === 'yes',
    sms_suspended: sms === undefined ? undefined : sms === 'suspended',
    identifiers: list === undefined ? undefined : (findIdentifierList(list)?.iccids.slice() ?? []),
  };
};

/** The search parameters for a filter: restores a saved view. */
export const searchOfFilter = ({
  usage_percent_min: usage,
  expires_within_days: expires,
  over_limit: over,
  sms_suspended: suspended,
  identifiers,
  ...rest
}: SimFilter): SimSearch =>
  simSearch.parse({
    ...rest,
    usage,
    expires,
    over: over === undefined ? undefined : over ? 'yes' : 'no',
    sms: suspended === undefined ? undefined : suspended ? 'suspended' : 'open',
    list: identifiers && storeIdentifierList({ iccids: identifiers, notFound: [], duplicates: 0 }),
  });

/** The list is limited to pasted SIMs that this tab does not have: the URL came from elsewhere. */
export const isUnknownList = ({ list }: SimSearch): boolean =>
  list !== undefined && findIdentifierList(list) === undefined;
