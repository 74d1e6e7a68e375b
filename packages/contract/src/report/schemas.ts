import { z } from 'zod';
import { billMonthSchema } from '../finance/schemas.ts';
import { bytesSchema, instantSchema } from '../identifiers.ts';
import { languages } from '../languages.ts';
import { limits } from '../limits.ts';
import { timeZoneSchema } from '../schedule/schemas.ts';
import { fileFormatSchema, fileFormats } from '../task/schemas.ts';

/** Kinds of reports, in the order in which they are shown. */
export const reportKinds = [
  'sim-usage',
  'inventory',
  'networks',
  'status-changes',
  'bundles',
  'pools',
  'sms',
  'cost',
] as const;
export type ReportKind = (typeof reportKinds)[number];
export const reportKindSchema = z.enum(reportKinds);

/** A calendar month in the time zone of the report. */
export const reportMonthSchema = billMonthSchema;

/** How the cells of a column are shown: as text, or as a number in a unit. Files contain the plain number. */
export const reportUnits = ['text', 'identifier', 'count', 'bytes', 'percent'] as const;
export type ReportUnit = (typeof reportUnits)[number];

/** Columns of all kinds; their headings are `report.columns.<column>` in packages/phrases. */
export const reportColumns = [
  'iccid',
  'imsi',
  'msisdn',
  'device_name',
  'bundle',
  'status',
  'days_online',
  'up',
  'down',
  'used',
  'quota',
  'of_quota',
  'quota_used',
  'fullest_cycle',
  'activated',
  'expires',
  'tags',
  'country',
  'operator',
  'plmn',
  'radio',
  'sims',
  'time',
  'from',
  'to',
  'reason',
  'actor',
  'task',
  'order_id',
  'sales_order',
  'over',
  'cycles',
  'pool',
  'cycle_started',
  'cycle_ends',
  'limit',
  'events',
  'sent',
  'sent_parts',
  'delivered',
  'failed',
  'received',
  'bill',
  'charge',
  'name',
  'quantity',
  'unit',
  'amount',
  'currency',
] as const;
export type ReportColumn = (typeof reportColumns)[number];

/** Figures at the top of a report, which summarise its rows. Phrases: `report.figures.<figure>`. */
export const reportFigures = [
  'sims',
  'used',
  'over_quota',
  'unused',
  'pre-activated',
  'active',
  'paused',
  'expired',
  'terminated',
  'countries',
  'networks',
  'changes',
  'orders',
  'over',
  'pools',
  'limit',
  'over_limit',
  'sent',
  'delivered',
  'failed',
  'received',
  'lines',
  'amount',
] as const;
export type ReportFigureName = (typeof reportFigures)[number];

export const reportFigureSchema = z.object({
  figure: z.enum(reportFigures),
  /** `minor`: minor units of the currency. */
  unit: z.enum(['count', 'bytes', 'minor']),
  currency: z.string().length(3).nullable(),
  value: z.number().int(),
  /** Value in the previous month's report of the same kind; null if there is none. */
  before: z.number().int().nullable(),
});
export type ReportFigure = z.output<typeof reportFigureSchema>;

/** Small charts of reports and what they count; the title is `report.pictures.<picture>`. */
export const reportPictures = {
  'sim-usage': 'sims-by-share',
  inventory: 'sims-by-status',
  networks: 'used-by-country',
  'status-changes': 'changes-by-status',
  bundles: 'used-by-bundle',
  pools: 'used-by-pool',
  sms: 'messages-by-outcome',
  cost: 'amount-by-charge',
} as const satisfies Record<ReportKind, string>;

export const reportSeriesSchema = z.object({
  unit: z.enum(['count', 'bytes', 'minor']),
  currency: z.string().length(3).nullable(),
  /** At most twelve bars, in display order. */
  bars: z.array(
    z.object({
      /** Label in the language of the report. */
      label: z.string(),
      value: z.number().int(),
      /** `idle`: no usage; `over`: more than the quota or limit. */
      tone: z.enum(['plain', 'idle', 'over']),
    }),
  ),
});
export type ReportSeries = z.output<typeof reportSeriesSchema>;

export const reportCellSchema = z.string().or(z.number()).nullable();
/** The first rows, with cells as in the file. */
export const reportPreviewSchema = z.object({
  columns: z.array(z.object({ column: z.enum(reportColumns), unit: z.enum(reportUnits) })),
  rows: z.array(z.array(reportCellSchema)),
});
export type ReportPreview = z.output<typeof reportPreviewSchema>;

export const reportSchema = z.object({
  id: z.string(),
  month: reportMonthSchema,
  kind: reportKindSchema,
  language: z.enum(languages),
  time_zone: z.string(),
  /** When the report was created. */
  made_at: instantSchema,
  rows: z.number().int().nonnegative(),
  files: z.array(z.object({ format: fileFormatSchema, bytes: bytesSchema })),
  figures: z.array(reportFigureSchema),
  series: reportSeriesSchema,
  /** Null if not requested. */
  preview: reportPreviewSchema.nullable(),
});
export type Report = z.output<typeof reportSchema>;

const formatsSchema = z
  .array(fileFormatSchema)
  .min(1)
  .max(fileFormats.length)
  .refine((formats) => new Set(formats).size === formats.length);

const kindsSchema = z
  .array(reportKindSchema)
  .max(reportKinds.length)
  .refine((kinds) => new Set(kinds).size === kinds.length);

/** Reports to create each month, their format and language, and the groups to notify. Without kinds there are no reports. */
export const reportPreferencesBodySchema = z.strictObject({
  kinds: kindsSchema,
  formats: formatsSchema,
  language: z.enum(languages),
  time_zone: timeZoneSchema,
  /** Address groups. */
  notify: z.array(z.string().regex(/^\d{1,18}$/)).max(limits.reports.notify),
});
export type ReportPreferencesBody = z.output<typeof reportPreferencesBodySchema>;

export const reportPreferencesSchema = z.object({
  kinds: z.array(reportKindSchema),
  formats: z.array(fileFormatSchema),
  language: z.enum(languages),
  time_zone: z.string(),
  notify: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Null if nobody has set preferences yet; the values are then the defaults of the form. */
  changed_at: instantSchema.nullable(),
  /** Whether the caller may set them. */
  changeable: z.boolean(),
  /** The next reports that are created with these preferences. */
  next: z.object({ month: reportMonthSchema, from: instantSchema, ready_by: instantSchema }),
});
export type ReportPreferences = z.output<typeof reportPreferencesSchema>;
