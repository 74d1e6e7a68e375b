import { z } from 'zod';
import { billMonthSchema } from '../finance/schemas.ts';
import { bytesSchema, instantSchema } from '../identifiers.ts';
import { languages } from '../languages.ts';
import { limits } from '../limits.ts';
import { timeZoneSchema } from '../schedule/schemas.ts';
import { fileFormatSchema, fileFormats } from '../task/schemas.ts';

/** What reports are about, in the order in which they are shown. */
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

/** How the cells of a column are to be shown: as they are, or as a number of its unit. Files have the plain number. */
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

/** The figures at the head of a report: what its rows come to. Words: `report.figures.<figure>`. */
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
  /** In the report of the same kind of the month before; null where there is none. */
  before: z.number().int().nullable(),
});
export type ReportFigure = z.output<typeof reportFigureSchema>;

/** What the little picture counts; its title is `report.pictures.<picture>`. */
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
  /** At most twelve, in the order in which they are drawn. */
  bars: z.array(
    z.object({
      /** As it is to be shown, in the language of the report. */
      label: z.string(),
      value: z.number().int(),
      /** `idle`: nothing was used; `over`: more than the quota or limit. */
      tone: z.enum(['plain', 'idle', 'over']),
    }),
  ),
});
export type ReportSeries = z.output<typeof reportSeriesSchema>;

export const reportCellSchema = z.string().or(z.number()).nullable();
/** The first rows, cell by cell as the file has them. */
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
  /** When it was made. */
  made_at: instantSchema,
  rows: z.number().int().nonnegative(),
  files: z.array(z.object({ format: fileFormatSchema, bytes: bytesSchema })),
  figures: z.array(reportFigureSchema),
  series: reportSeriesSchema,
  /** Null where it was not asked for. */
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

/** What is made each month, how, and whom to notify. No kinds: no reports. */
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
  /** Null: nobody has set them, and these are what a form begins with. */
  changed_at: instantSchema.nullable(),
  /** Whether the caller may set them. */
  changeable: z.boolean(),
  /** The reports that are made next by these preferences. */
  next: z.object({ month: reportMonthSchema, from: instantSchema, ready_by: instantSchema }),
});
export type ReportPreferences = z.output<typeof reportPreferencesSchema>;
