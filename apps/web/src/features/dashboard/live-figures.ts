import type { DashboardCard, DashboardRank } from '@simcube/contract/dashboard';
import type { SimCounts } from '@simcube/contract/sim';
import type { Answer } from '../../lib/api-client/index.ts';
import { type Heard, usedBytes } from '../../lib/live/index.ts';

/** The figures at the top, with the numbers of SIMs taken from the response that counts them, so that they always add up. */
export const withCounts = (
  answer: Answer<DashboardCard>,
  counts: SimCounts | undefined,
): Answer<DashboardCard> => {
  if (!counts) return answer;
  const { active_sims: active } = answer.data;
  const value = counts.lifecycle.active;
  const trend = [...active.trend.slice(0, -1), value];
  return {
    ...answer,
    data: { ...answer.data, total_sims: counts.total, active_sims: { ...active, value, trend } },
  };
};

/** The ranked SIMs, ordered by their current usage. */
export const toldRank = (
  answer: Answer<DashboardRank>,
  answeredAt: number,
  used: ReadonlyMap<string, Heard<number>>,
): Answer<DashboardRank> => {
  const sims = answer.data.map((sim) => ({
    ...sim,
    usage_bytes: usedBytes(sim.usage_bytes, answeredAt, used.get(sim.iccid)),
  }));
  return { ...answer, data: sims.sort((one, other) => other.usage_bytes - one.usage_bytes) };
};
