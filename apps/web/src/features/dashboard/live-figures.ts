import type { DashboardCard, DashboardRank } from '@simcube/contract/dashboard';
import type { SimCounts } from '@simcube/contract/sim';
import type { ApiResponse } from '../../lib/api-client/index.ts';
import { latestUsedBytes, type Received } from '../../lib/live/index.ts';

/** The figures at the top, with the numbers of SIMs taken from the response that counts them, so that they always add up. */
export const withCounts = (
  response: ApiResponse<DashboardCard>,
  counts: SimCounts | undefined,
): ApiResponse<DashboardCard> => {
  if (!counts) return response;
  const { active_sims: active } = response.data;
  const value = counts.lifecycle.active;
  const trend = [...active.trend.slice(0, -1), value];
  return {
    ...response,
    data: { ...response.data, total_sims: counts.total, active_sims: { ...active, value, trend } },
  };
};

/** The ranked SIMs, ordered by their current usage. */
export const updatedRank = (
  response: ApiResponse<DashboardRank>,
  responseAt: number,
  used: ReadonlyMap<string, Received<number>>,
): ApiResponse<DashboardRank> => {
  const sims = response.data.map((sim) => ({
    ...sim,
    usage_bytes: latestUsedBytes(sim.usage_bytes, responseAt, used.get(sim.iccid)),
  }));
  return { ...response, data: sims.sort((one, other) => other.usage_bytes - one.usage_bytes) };
};
