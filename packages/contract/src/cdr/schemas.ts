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

/** Usage records (CDRs): what was used between two accounting updates, or one row of a file. */

/** How a record came in. */
export const cdrSources = ['radius', 'file'] as const;
export type CdrSource = (typeof cdrSources)[number];
export const cdrSourceSchema = z.enum(cdrSources);

/** Where no network, country or radio type was reported: CLDR's unknown region, a PLMN that nobody has, a word. */
export const unknownOf = { country: unknownCountry, operator: '000-00', radio: 'unknown' } as const;
export const cdrRadioTypes = [...radioTypes, unknownOf.radio] as const;
export type CdrRadioType = (typeof cdrRadioTypes)[number];

/** SIM, end in microseconds since 1970 and key of a record. */
export const cdrIdSchema = z.string().regex(/^[0-9A-Za-z]{18,22}-\d{15,16}-\d{1,16}$/);
export type CdrId = z.output<typeof cdrIdSchema>;
/** SIM and key of a session. */
export const cdrSessionSchema = z.string().regex(/^[0-9A-Za-z]{18,22}-\d{1,16}$/);
const countrySchema = z.string().regex(/^[A-Z]{2}$/);
const operatorSchema = z.string().regex(/^\d{3}-\d{2,3}$/);

const timeShape = {
  /** From then on; without it, as many natural days as may be asked for. */
  from: usageInstantSchema.optional(),
  /** Until before then; without it, until now. A record is of the time at which it ended. */
  to: usageInstantSchema.optional(),
};

const filterShape = {
  ...timeShape,
  country: z.array(countrySchema).max(250).optional(),
  /** MCC and MNC, such as `262-01`. */
  operator: z.array(operatorSchema).max(50).optional(),
  radio: z.array(z.enum(cdrRadioTypes)).max(cdrRadioTypes.length).optional(),
  /** Exactly these, in lower or upper case. */
  apn: z
    .array(textSchema({ max: 128 }))
    .max(20)
    .optional(),
  session: cdrSessionSchema.optional(),
  source: z.array(cdrSourceSchema).max(cdrSources.length).optional(),
};
const simsShape = {
  /** ICCIDs, IMSIs or MSISDNs, mixed; those of SIMs that the organisation had then count, too. None: no records. */
  identifiers: z.array(z.string().trim().min(5).max(22)).max(limits.cdrs.identifiers).optional(),
};

/** What list, sums and exports find; every given field must hold. */
export const cdrFilterSchema = z.strictObject({ ...filterShape, ...simsShape }).superRefine(checkSpan);
export type CdrFilter = z.output<typeof cdrFilterSchema>;

/** The time and the order of a list of records: the latest first, unless asked otherwise. */
export const cdrSorts = ['ended_at'] as const;
const sorted = { sort: z.enum(['-ended_at', 'ended_at']).optional() };

export const cdrListBodySchema = pageSchema
  .extend({ ...sorted, ...filterShape, ...simsShape })
  .superRefine(checkSpan);

/** A query has no arrays: one of a kind. */
const querySchema = {
  ...timeShape,
  country: countrySchema.optional(),
  operator: operatorSchema.optional(),
  radio: z.enum(cdrRadioTypes).optional(),
  apn: textSchema({ max: 128 }).optional(),
  session: cdrSessionSchema.optional(),
  source: cdrSourceSchema.optional(),
};
/** What a query may ask for, one value of each. */
export type CdrQuery = z.output<z.ZodObject<typeof querySchema>>;
export const cdrSimListQuerySchema = pageSchema.extend({ ...sorted, ...querySchema }).superRefine(checkSpan);

export const cdrSchema = z.object({
  id: cdrIdSchema,
  started_at: instantSchema,
  ended_at: instantSchema,
  iccid: z.string(),
  imsi: z.string(),
  msisdn: z.string().nullable(),
  /** Null also when the SIM is another organisation's now. */
  device_name: z.string().nullable(),
  /** Whether the SIM is still the organisation's, so that its page can be opened. */
  own: z.boolean(),
  network: networkSchema.nullable(),
  radio: radioTypeSchema.nullable(),
  cell: z.string().nullable(),
  apn: z.string().nullable(),
  /** That of the basic order that was in use. */
  bundle: z.string().nullable(),
  /** For the filter; null when the record is of no session. */
  session: z.string().nullable(),
  source: cdrSourceSchema,
  up_bytes: bytesSchema,
  down_bytes: bytesSchema,
  total_bytes: bytesSchema,
  /** Records of its time may still arrive. */
  provisional: z.boolean(),
});
export type Cdr = z.output<typeof cdrSchema>;

/** A record opened: what the network said, in which cycle it counted, and what it cost. */
export const cdrDetailSchema = cdrSchema.extend({
  network_side: z.object({
    /** Acct-Session-Id; null when the record came by file. */
    session_id: z.string().nullable(),
    /** Which record of its session it is, and how many there are by now. */
    update: z.number().int().nullable(),
    updates: z.number().int().nullable(),
    /** After the record of the session before it; null of the first. */
    seconds_after: z.number().nullable(),
    gateway: z.string().nullable(),
    /** Where the cell stands, if anybody said so. */
    place: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  }),
  counted: z.object({
    cycle: z.object({
      started_at: instantSchema,
      ends_at: instantSchema,
      /** Records of the cycle may still arrive. */
      provisional: z.boolean(),
    }),
    order: z
      .object({ order_id: z.string(), bundle_name: z.string(), sales_order_id: z.string().nullable() })
      .nullable(),
    /** What the SIM had used in the cycle with this record. */
    used_after_bytes: bytesSchema,
    limit_bytes: bytesSchema.nullable(),
  }),
  /** Null where no tariff applies. */
  rated: z
    .object({
      tariff: z.string(),
      /** First day of the version. */
      tariff_from: dateSchema,
      zone: z.string().nullable(),
      /** Within the bundle, or within the shared pool that it counted for: nothing is charged for it. */
      included: z.boolean(),
      /** In millionths of the currency, for each unit that was started; null when nothing is charged. */
      price_micros: z.number().int().nullable(),
      /** A block is of the bundle's size. */
      unit: z.enum(['MB', 'block']),
      currency: z.string().length(3),
    })
    .nullable(),
});
export type CdrDetail = z.output<typeof cdrDetailSchema>;

const countSchema = z.number().int().nonnegative();
const amountShape = { records: countSchema, up_bytes: bytesSchema, down_bytes: bytesSchema };
/** Records and what they add up to. */
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
   * Start of the hour, day (`YYYY-MM-DD`), country (ISO 3166-1 alpha-2), operator (`262-01`), radio type, day and radio type
   * (`2026-11-01 4G`) or operator, ICCID: as the filter takes them.
   */
  key: z.string(),
  /** Of an operator its name, of a SIM that of its device. */
  name: z.string().nullable(),
  /** Of an operator. */
  country: z.string().length(2).nullable(),
  /** Of these, what is of a time of which records may still arrive. */
  provisional: cdrAmountSchema,
  /** The same in the period before: of hours and days those that stand at the same place in it; null of two together. */
  before: cdrAmountSchema.nullable(),
});
export type CdrGroup = z.output<typeof cdrGroupSchema>;

/** Hours and days are all there, the others by volume, the most first, SIMs at most `limits.cdrs.simGroups`. */
const groupsShape = {
  group_by: z.array(z.enum(cdrGroupings)).max(cdrGroupings.length).optional(),
  /** With the same sums for as many whole natural days, or as long a time, before. */
  before: z.boolean().default(false),
};
export const cdrSumsBodySchema = z
  .strictObject({ ...filterShape, ...simsShape, ...groupsShape })
  .superRefine(checkSpan);
export const cdrSimSumsQuerySchema = z
  .strictObject({ ...querySchema, group_by: z.enum(cdrGroupings).optional() })
  .superRefine(checkSpan);

export const cdrSumsSchema = z.object({
  from: instantSchema,
  to: instantSchema,
  total: cdrFiguresSchema,
  provisional: cdrAmountSchema,
  /** Records that ended from then on are provisional: the hour began so long ago, and others of its time may still arrive. */
  provisional_from: instantSchema,
  /** SIMs and sessions are counted of the records until then. */
  counted_until: instantSchema,
  before: z.object({ from: instantSchema, to: instantSchema, total: cdrFiguresSchema }).nullable(),
  groups: z.partialRecord(z.enum(cdrGroupings), z.array(cdrGroupSchema)),
});
export type CdrSums = z.output<typeof cdrSumsSchema>;

/** Where the organisation has records, for filters. */
export const cdrCountrySchema = z.object({ country: countrySchema, operators: countSchema });
export const cdrOperatorSchema = z.object({
  operator: operatorSchema,
  name: z.string().nullable(),
  country: countrySchema,
});

/** SIMs by cell. */
export const cdrCellSchema = z.object({
  cell: z.string(),
  records: countSchema,
  up_bytes: bytesSchema,
  down_bytes: bytesSchema,
  sims: countSchema,
  last_seen_at: instantSchema,
  /** Null where nobody said where the cell stands. */
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
  /** All of them when none is chosen. */
  columns: z.array(z.enum(cdrColumns)).max(cdrColumns.length).optional(),
};
/** What a file has a row for: a record, a SIM, or a day and an operator. */
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
