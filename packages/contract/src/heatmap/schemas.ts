import { z } from 'zod';
import { bytesSchema, dateSchema, instantSchema } from '../identifiers.ts';
import { radioTypeSchema } from '../sim/schemas.ts';
import { fileFormatSchema } from '../task/schemas.ts';

export const heatmapMetrics = ['usage', 'sims', 'sessions'] as const;
export type HeatmapMetric = (typeof heatmapMetrics)[number];

const periodSchema = z.object({ from: dateSchema, to: dateSchema });

/** Figure, days (business days, as on the dashboard) and networks to show. */
export const heatmapQueryShape = {
  metric: z.enum(heatmapMetrics).default('usage'),
  from: dateSchema,
  to: dateSchema,
  /** ISO 3166-1 alpha-2, or `ZZ` for networks whose country is unknown. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  /** MCC and MNC, such as `262-02`. */
  network: z
    .string()
    .regex(/^\d{3}-\d{2,3}$/)
    .optional(),
  radio: radioTypeSchema.optional(),
};

/** The requested figure: bytes, SIMs or sessions. */
const figureSchema = z.number().int().nonnegative();

/**
 * Bytes in the period; SIMs with usage on an average day, rounded, but at least one if there are any; sessions, each counted on
 * every day on which it had usage. All figures are exact, not estimated; those of SIMs and sessions are of the counted days.
 */
const figuresSchema = z.object({
  usage: bytesSchema,
  sims: z.number().int(),
  sessions: z.number().int(),
  /**
   * The requested figure in the days that are compared; 0 if none is. Null if it is not known: SIMs if none of the days is
   * counted, sessions if one of them is not.
   */
  compared: figureSchema.nullable(),
  /** The requested figure in the previous period; null likewise. */
  before: figureSchema.nullable(),
});

/** The requested figure by day; null for days that are not counted. */
const daySeries = z.array(figureSchema.nullable());

/** Number of distinct cells with usage; as recent as the numbers of SIMs and sessions. */
const cellCount = z.number().int();

const shareSchema = figuresSchema.extend({
  /** ISO 3166-1 alpha-2; null if the country of a network is unknown. */
  country: z.string().length(2).nullable(),
});

export const heatmapSchema = z.object({
  period: periodSchema,
  /** The days of the period that are over, which are compared with those of `before`; null if none is. */
  compared: periodSchema.nullable(),
  /** The same days of the previous month if the period begins with a month, otherwise the same number of days just before. */
  before: periodSchema,
  provisional_from: z.iso.datetime(),
  /** Days of the period with usage whose SIMs, sessions and cells are not counted. */
  uncounted_days: z.array(dateSchema),
  /** SIMs and sessions are null if no day of the period is counted. */
  total: figuresSchema.extend({
    sims: figuresSchema.shape.sims.nullable(),
    sessions: figuresSchema.shape.sessions.nullable(),
    cells: cellCount,
  }),
  days: daySeries,
  /** In descending order; their usage adds up to the total. */
  countries: z.array(shareSchema.extend({ cells: cellCount, days: daySeries })),
  /** In descending order, at most 100; the rest of the total belongs to other operators. */
  operators: z.array(
    shareSchema.extend({ mcc: z.string(), mnc: z.string(), operator: z.string().nullable() }),
  ),
});
export type Heatmap = z.output<typeof heatmapSchema>;

export const hexagonsSchema = z.object({
  /** H3 resolution. */
  resolution: z.number().int(),
  /**
   * Longitude and latitude of the centre and, relative to it, of two adjacent corners, in thousandths of a degree; then the
   * requested figure. Opposite corners are mirrored, and the corner after two others is the second minus the first.
   */
  hexagons: z.array(
    z.tuple([
      z.number().int(),
      z.number().int(),
      z.number().int(),
      z.number().int(),
      z.number().int(),
      z.number().int(),
      figureSchema,
    ]),
  ),
  /** The figure for all cells anywhere, and for cells whose location is unknown, including usage on days that are not counted. */
  total: figureSchema,
  unplaced: figureSchema,
});
export type Hexagons = z.output<typeof hexagonsSchema>;

const { from, to, country, network, radio } = heatmapQueryShape;
const cellsQueryShape = { from, to, country: country.unwrap(), network, radio };
export const heatmapCellsQuerySchema = z.strictObject(cellsQueryShape);
export const heatmapCellsFileSchema = z.strictObject({
  ...cellsQueryShape,
  format: fileFormatSchema.default('csv'),
});

/** A cell with usage in a country. */
export const heatmapCellSchema = z.object({
  cell: z.string(),
  mcc: z.string(),
  mnc: z.string(),
  operator: z.string().nullable(),
  /** Radio types of the usage; empty if no record names one. */
  radios: z.array(radioTypeSchema),
  usage: bytesSchema,
  /** Number of distinct SIMs with usage in the cell. */
  sims: z.number().int(),
  last_seen_at: instantSchema,
  /** Null if the location of the cell is unknown. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** The nearest town, at most 50 km away. */
  town: z.string().nullable(),
});
/** At most `limits.heatmap.cells` cells by usage in descending order, and the total number of cells. */
export const heatmapCellsSchema = z.object({ total: z.number().int(), cells: z.array(heatmapCellSchema) });
export type HeatmapCell = z.output<typeof heatmapCellSchema>;
