import { dateSchema } from '@simcube/contract';
import { heatmapMetrics } from '@simcube/contract/heatmap';
import { radioTypeSchema } from '@simcube/contract/sim';
import { z } from 'zod';

export const layers = ['both', 'countries', 'cells'] as const;
export type Layer = (typeof layers)[number];

const optional = <T>(schema: z.ZodType<T>) => schema.optional().catch(undefined);

/** Search parameters of the heatmap; invalid values are ignored. */
export const heatmapSearchSchema = z.object({
  metric: optional(z.enum(heatmapMetrics)),
  layer: optional(z.enum(layers)),
  from: optional(dateSchema),
  to: optional(dateSchema),
  country: optional(z.string().regex(/^[A-Z]{2}$/)),
  network: optional(z.string().regex(/^\d{3}-\d{2,3}$/)),
  radio: optional(radioTypeSchema),
  /** Latitude and longitude of the searched cell. */
  at: optional(z.string().regex(/^-?\d{1,2}(\.\d{1,7})?,-?\d{1,3}(\.\d{1,7})?$/)),
  /** The country whose details are open. */
  open: optional(z.string().regex(/^[A-Z]{2}$/)),
});
export type HeatmapSearch = z.output<typeof heatmapSearchSchema>;
