import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { heatmapConsumers } from './heatmap.consumers.ts';
import { heatmapJobs } from './heatmap.jobs.ts';
import { heatmapRoutes } from './heatmap.routes.ts';

export { queueAllDays } from './heatmap.jobs.ts';
export { invalidateAllDays } from './heatmap.queries.ts';
export { refreshHeatmap } from './heatmap.service.ts';

/** Where an organisation's SIMs use data. */
export const heatmapModule = (options: { pool: pg.Pool; clock: Clock }) => ({
  routes: heatmapRoutes(options),
  jobs: heatmapJobs(options),
  consumers: heatmapConsumers(),
});
