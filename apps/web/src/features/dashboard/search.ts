import { statisticsRanges } from '@simcube/contract/dashboard';
import { z } from 'zod';

/** Search parameters of the Analysis screen. */
export const analysisSearchSchema = z.object({
  range: z.enum(statisticsRanges).optional().catch(undefined),
});
