import type { DashboardStatistics } from '@simcube/contract/dashboard';

/** Days and months of the dashboard are those of UTC+8 (specification, section 9). */
export const businessOffsetMs = 8 * 3_600_000;

/** Of a point: an instant, or a month, which begins eight hours before it does in UTC. */
export const startOfPoint = (at: string): number =>
  /^\d{4}-\d{2}$/.test(at) ? Date.parse(`${at}-01`) - businessOffsetMs : Date.parse(at);

/** Whether a day or month that is over may still change: usage of its last hours may come late. The last one is not over. */
export const mayStillChange = (
  { points, provisional_from }: Pick<DashboardStatistics, 'points' | 'provisional_from'>,
  index: number,
): boolean => {
  const next = points[index + 1];
  return next !== undefined && startOfPoint(next.at) > Date.parse(provisional_from);
};
