import { z } from 'zod';
import { bytesSchema, dateSchema, instantSchema } from '../identifiers.ts';
import { radioTypeSchema } from '../sim/schemas.ts';
import { fileFormatSchema } from '../task/schemas.ts';

export const heatmapMetrics = ['usage', 'sims', 'sessions'] as const;
export type HeatmapMetric = (typeof heatmapMetrics)[number];

const periodSchema = z.object({ from: dateSchema, to: dateSchema });

/** What is shown of which days (business days, as on the dashboard) and networks. */
export const heatmapQuestion = {
  metric: z.enum(heatmapMetrics).default('usage'),
  from: dateSchema,
  to: dateSchema,
  /** ISO 3166-1 alpha-2, or `ZZ`: of networks of which no country is known. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  /** MCC and MNC, as `262-02`. */
  network: z
    .string()
    .regex(/^\d{3}-\d{2,3}$/)
    .optional(),
  radio: radioTypeSchema.optional(),
};

/**
 * Bytes of the period; SIMs with usage on an average day, rounded; sessions, each counted on every day with usage of it.
 * Exact: nothing is estimated.
 */
const figuresSchema = z.object({
  usage: bytesSchema,
  sims: z.number().int(),
  sessions: z.number().int(),
  /** The figure asked for, of the period before. */
  before: bytesSchema,
});

/** Cells that there was usage in, each once; SIMs and sessions are as old as they. */
const cells = z.number().int();

const shareSchema = figuresSchema.extend({
  /** ISO 3166-1 alpha-2; null where no country is known of a network. */
  country: z.string().length(2).nullable(),
});

export const heatmapSchema = z.object({
  period: periodSchema,
  /** The same days of the month before where the period begins with a month, else as many days just before. */
  before: periodSchema,
  provisional_from: z.iso.datetime(),
  total: figuresSchema.extend({ cells }),
  /** The figure asked for, by day. */
  days: z.array(bytesSchema),
  /** Most first; their usage adds up to the total's. */
  countries: z.array(shareSchema.extend({ cells, days: z.array(bytesSchema) })),
  /** Most first, at most 100; what they lack to the total is of others. */
  operators: z.array(
    shareSchema.extend({ mcc: z.string(), mnc: z.string(), operator: z.string().nullable() }),
  ),
});
export type Heatmap = z.output<typeof heatmapSchema>;

export const hexagonsSchema = z.object({
  /** Of H3. */
  resolution: z.number().int(),
  /**
   * Centre, and from it two corners side by side, as longitude and latitude in thousandths of a degree: opposite corners
   * mirror them, and the corner after two others is the second less the first. Then the figure asked for.
   */
  hexagons: z.array(
    z.tuple([
      z.number().int(),
      z.number().int(),
      z.number().int(),
      z.number().int(),
      z.number().int(),
      z.number().int(),
      bytesSchema,
    ]),
  ),
  /** The figure of all cells, wherever they stand, and of those of which it is not known where. */
  total: bytesSchema,
  unplaced: bytesSchema,
});
export type Hexagons = z.output<typeof hexagonsSchema>;

const { from, to, country, network, radio } = heatmapQuestion;
const cellsQuestion = { from, to, country: country.unwrap(), network, radio };
export const heatmapCellsQuerySchema = z.strictObject(cellsQuestion);
export const heatmapCellsFileSchema = z.strictObject({
  ...cellsQuestion,
  format: fileFormatSchema.default('csv'),
});

/** A cell with usage in a country. */
export const heatmapCellSchema = z.object({
  cell: z.string(),
  mcc: z.string(),
  mnc: z.string(),
  operator: z.string().nullable(),
  /** Of the usage; none where no record named one. */
  radios: z.array(radioTypeSchema),
  usage: bytesSchema,
  /** SIMs with usage in it, each once, on however many days. */
  sims: z.number().int(),
  last_seen_at: instantSchema,
  /** Null where it is not known where the cell stands. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** The nearest town, at most 50 km away. */
  town: z.string().nullable(),
});
/** At most `limits.heatmap.cells`, those with the most usage first, and how many there are. */
export const heatmapCellsSchema = z.object({ total: z.number().int(), cells: z.array(heatmapCellSchema) });
export type HeatmapCell = z.output<typeof heatmapCellSchema>;
