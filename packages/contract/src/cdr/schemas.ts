import { z } from 'zod';
import {
  bytesSchema,
  dateSchema,
  iccidSchema,
  instantSchema,
  unknownCountry,
  usageInstantSchema,
} from '../identifiers.ts';
import { limits } from '../limits.ts';
import { pageSchema } from '../paging.ts';
import { networkSchema, radioTypeSchema, radioTypes } from '../sim/schemas.ts';
import { fileFormatSchema } from '../task/schemas.ts';
import { textSchema } from '../text.ts';
import { checkSpan } from './span.ts';

/** Usage records (CDRs): usage between two accounting updates, or one row of a file. */

/** Source of a record. */
export const cdrSources = ['radius', 'file'] as const;
export type CdrSource = (typeof cdrSources)[number];
export const cdrSourceSchema = z.enum(cdrSources);

/** Values for an unreported country (CLDR's unknown region), operator (an unassigned PLMN) and radio type. */
export const unknownValues = { country: unknownCountry, operator: '000-00', radio: 'unknown' } as const;
export const cdrRadioTypes = [...radioTypes, unknownValues.radio] as const;
export type CdrRadioType = (typeof cdrRadioTypes)[number];

/** Id of a record: ICCID, end in microseconds since 1970, and key. */
export const cdrIdSchema = z.string().regex(/^[0-9A-Za-z]{18,22}-\d{15,16}-\d{1,16}$/);
export type CdrId = z.output<typeof cdrIdSchema>;
/** Id of a session: ICCID and key. */
export const cdrSessionSchema = z.string().regex(/^[0-9A-Za-z]{18,22}-\d{1,16}$/);
const countrySchema = z.string().regex(/^[A-Z]{2}$/);
const operatorSchema = z.string().regex(/^\d{3}-\d{2,3}$/);

const timeShape = {
  /** Start of the span, inclusive; if omitted, the span has the maximum number of natural days. */
  from: usageInstantSchema.optional(),
  /** End of the span, exclusive; if omitted, now. The time of a record is its end. */
  to: usageInstantSchema.optional(),
};

const filterShape = {
  ...timeShape,
  country: z.array(countrySchema).max(250).optional(),
  /** MCC and MNC, such as `262-01`. */
  operator: z.array(operatorSchema).max(50).optional(),
  radio: z.array(z.enum(cdrRadioTypes)).max(cdrRadioTypes.length).optional(),
  /** Exact names, case-insensitive. */
  apn: z
    .array(textSchema({ max: 128 }))
    .max(20)
    .optional(),
  session: cdrSessionSchema.optional(),
  source: z.array(cdrSourceSchema).max(cdrSources.length).optional(),
};
const simsShape = {
  /** ICCIDs, IMSIs or MSISDNs, mixed; also of SIMs that belonged to the organisation at the time. An empty list matches no records. */
  identifiers: z.array(z.string().trim().min(5).max(22)).max(limits.cdrs.identifiers).optional(),
};

/** Filter of lists, totals and exports: records must match every given field. */
export const cdrFilterSchema = z.strictObject({ ...filterShape, ...simsShape }).superRefine(checkSpan);
export type CdrFilter = z.output<typeof cdrFilterSchema>;

/** Sort order of a list of records: latest first by default. */
export const cdrSorts = ['ended_at'] as const;
const sortShape = { sort: z.enum(['-ended_at', 'ended_at']).optional() };

export const cdrListBodySchema = pageSchema
  .extend({ ...sortShape, ...filterShape, ...simsShape })
  .superRefine(checkSpan);

/** A query string has no arrays: one value per field. */
const queryShape = {
  ...timeShape,
  country: countrySchema.optional(),
  operator: operatorSchema.optional(),
  radio: z.enum(cdrRadioTypes).optional(),
  apn: textSchema({ max: 128 }).optional(),
  session: cdrSessionSchema.optional(),
  source: cdrSourceSchema.optional(),
};
/** Filter fields of a query string, one value each. */
export type CdrQuery = z.output<z.ZodObject<typeof queryShape>>;
export const cdrSimListQuerySchema = pageSchema
  .extend({ ...sortShape, ...queryShape })
  .superRefine(checkSpan);

export const cdrSchema = z.object({
  id: cdrIdSchema,
  started_at: instantSchema,
  ended_at: instantSchema,
  iccid: z.string(),
  imsi: z.string(),
  msisdn: z.string().nullable(),
  /** Also null if the SIM now belongs to another organisation. */
  device_name: z.string().nullable(),
  /** Whether the SIM still belongs to the organisation, so that its page can be opened. */
  own: z.boolean(),
  network: networkSchema.nullable(),
  radio: radioTypeSchema.nullable(),
  cell: z.string().nullable(),
  apn: z.string().nullable(),
  /** The bundle of the basic order that was in use. */
  bundle: z.string().nullable(),
  /** Session id for the filter; null if the record does not belong to a session. */
  session: z.string().nullable(),
  source: cdrSourceSchema,
  up_bytes: bytesSchema,
  down_bytes: bytesSchema,
  total_bytes: bytesSchema,
  /** Other records of the same time may still arrive. */
  provisional: z.boolean(),
});
export type Cdr = z.output<typeof cdrSchema>;

/** Details of a record: what the network reported, the cycle it was counted in, and its cost. */
export const cdrDetailSchema = cdrSchema.extend({
  network_side: z.object({
    /** Acct-Session-Id; null for records from a file. */
    session_id: z.string().nullable(),
    /** Number of the record in its session, and how many the session has so far; null if it is too long to count them. */
    update: z.number().int().nullable(),
    updates: z.number().int().nullable(),
    /** Seconds after the previous record of the session; null for the first. */
    seconds_after: z.number().nullable(),
    gateway: z.string().nullable(),
    /** Location of the cell, if known. */
    place: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  }),
  counted: z.object({
    cycle: z.object({
      started_at: instantSchema,
      ends_at: instantSchema,
      /** Other records of the cycle may still arrive. */
      provisional: z.boolean(),
    }),
    order: z
      .object({ order_id: z.string(), bundle_name: z.string(), sales_order_id: z.string().nullable() })
      .nullable(),
    /** Usage of the SIM in the cycle up to and including this record. */
    used_after_bytes: bytesSchema,
    limit_bytes: bytesSchema.nullable(),
  }),
  /** Null if no tariff applies. */
  rated: z
    .object({
      tariff: z.string(),
      /** First day of the version. */
      tariff_from: dateSchema,
      zone: z.string().nullable(),
      /** The usage is covered by the bundle or the shared pool and is not charged. */
      included: z.boolean(),
      /** Price of each started unit in millionths of the currency; null if nothing is charged. */
      price_micros: z.number().int().nullable(),
      /** The bundle defines the size of a block. */
      unit: z.enum(['MB', 'block']),
      currency: z.string().length(3),
    })
    .nullable(),
});
export type CdrDetail = z.output<typeof cdrDetailSchema>;

const countSchema = z.number().int().nonnegative();
const amountShape = { records: countSchema, up_bytes: bytesSchema, down_bytes: bytesSchema };
/** Number of records and their totals. */
export const cdrFiguresSchema = z.object({ ...amountShape, sims: countSchema, sessions: countSchema });
export type CdrFigures = z.output<typeof cdrFiguresSchema>;
export const cdrAmountSchema = z.object(amountShape);
export type CdrAmount = z.output<typeof cdrAmountSchema>;

export const cdrGroupings = [
  'hour',
  'day',
  'country',
  'operator',
  'radio',
  'day_radio',
  'day_operator',
  'sim',
] as const;
export type CdrGrouping = (typeof cdrGroupings)[number];

export const cdrGroupSchema = cdrFiguresSchema.extend({
  /**
   * Start of the hour, day (`YYYY-MM-DD`), country (ISO 3166-1 alpha-2), operator (`262-01`), radio type, day with radio type
   * (`2026-11-01 4G`) or with operator, or ICCID, in the format of the filter.
   */
  key: z.string(),
  /** Name of the operator, or of the SIM's device. */
  name: z.string().nullable(),
  /** Country of the operator. */
  country: z.string().length(2).nullable(),
  /** The provisional part: of times for which records may still arrive. */
  provisional: cdrAmountSchema,
  /** The same group in the previous period; for hours and days, the one at the same position. Null for combined groups. */
  before: cdrAmountSchema.nullable(),
});
export type CdrGroup = z.output<typeof cdrGroupSchema>;

/** All hours and days are included; other groups are sorted by volume, descending, with at most `limits.cdrs.simGroups` SIMs. */
const groupsShape = {
  group_by: z.array(z.enum(cdrGroupings)).max(cdrGroupings.length).optional(),
  /** Whether to include totals of the previous period: the same number of natural days, or the same length of time. */
  before: z.boolean().default(false),
};
export const cdrSumsBodySchema = z
  .strictObject({ ...filterShape, ...simsShape, ...groupsShape })
  .superRefine(checkSpan);
export const cdrSimSumsQuerySchema = z
  .strictObject({ ...queryShape, group_by: z.enum(cdrGroupings).optional() })
  .superRefine(checkSpan);

export const cdrSumsSchema = z.object({
  from: instantSchema,
  to: instantSchema,
  total: cdrFiguresSchema,
  provisional: cdrAmountSchema,
  /** Records that ended at or after this time (the beginning of an hour) are provisional: others may still arrive. */
  provisional_from: instantSchema,
  /** SIMs and sessions are counted from the records up to this time. */
  counted_until: instantSchema,
  before: z.object({ from: instantSchema, to: instantSchema, total: cdrFiguresSchema }).nullable(),
  groups: z.partialRecord(z.enum(cdrGroupings), z.array(cdrGroupSchema)),
});
export type CdrSums = z.output<typeof cdrSumsSchema>;

/** Countries in which the organisation has records, for filters. */
export const cdrCountrySchema = z.object({ country: countrySchema, operators: countSchema });
export const cdrOperatorSchema = z.object({
  operator: operatorSchema,
  name: z.string().nullable(),
  country: countrySchema,
});

/** A cell with its SIMs. */
export const cdrCellSchema = z.object({
  cell: z.string(),
  records: countSchema,
  up_bytes: bytesSchema,
  down_bytes: bytesSchema,
  sims: countSchema,
  last_seen_at: instantSchema,
  /** Null if the location of the cell is unknown. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
});
export type CdrCell = z.output<typeof cdrCellSchema>;
export const cdrCellsQuerySchema = z
  .strictObject({ ...timeShape, iccid: iccidSchema.optional(), country: countrySchema.optional() })
  .superRefine(checkSpan);

/** Columns of an export, in their order. */
export const cdrColumns = [
  'started_at',
  'ended_at',
  'iccid',
  'imsi',
  'msisdn',
  'device_name',
  'country',
  'operator',
  'plmn',
  'radio',
  'cell',
  'apn',
  'bundle',
  'session',
  'source',
  'up_bytes',
  'down_bytes',
  'total_bytes',
] as const;
export type CdrColumn = (typeof cdrColumns)[number];
const columnsShape = {
  /** All columns if omitted. */
  columns: z.array(z.enum(cdrColumns)).max(cdrColumns.length).optional(),
};
/** Rows of a file: one per record, per SIM, or per day and operator. */
export const cdrExportRows = ['record', 'sim', 'day_operator'] as const;
export type CdrExportRows = (typeof cdrExportRows)[number];

export const cdrExportBodySchema = z.strictObject({
  records: z.array(cdrIdSchema).min(1).max(limits.cdrs.selected),
  ...columnsShape,
});
export const cdrExportAllBodySchema = z.strictObject({
  filter: cdrFilterSchema,
  rows: z.enum(cdrExportRows).default('record'),
  ...columnsShape,
});
export const cdrExportParamsSchema = z.strictObject({
  partnerCode: z.string().max(40),
  format: fileFormatSchema,
});
