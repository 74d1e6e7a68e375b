import type { DashboardStatistics } from '@simcube/contract/dashboard';
import { businessDays } from '../../lib/time/index.ts';

/** The start of a point: an instant, or a month, which starts with its first business day. */
export const startOfPoint = (at: string): number =>
  /^\d{4}-\d{2}$/.test(at) ? Date.parse(`${at}-01`) - businessDays.offsetMs() : Date.parse(at);

/**
 * Whether a finished day or month may still change, because usage of its last hours may arrive late. The last point is not
 * finished.
 */
export const mayStillChange = (
  { points, provisional_from }: Pick<DashboardStatistics, 'points' | 'provisional_from'>,
  index: number,
): boolean => {
  const next = points[index + 1];
  return next !== undefined && startOfPoint(next.at) > Date.parse(provisional_from);
};
