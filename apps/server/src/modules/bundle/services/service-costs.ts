import type { Service } from '@simcube/contract/bundle';
import type { Amount } from '@simcube/contract/price';
import type { Cell } from '../../../platform/files/index.ts';
import { amountOf, decimalOf, type FindCosts } from '../../sim/index.ts';

/** Orders with what the cycle that runs on them has cost; null without one, or without a price. */
export const withCosts = async <S extends Service>(
  costsOf: FindCosts,
  org: { id: number },
  services: readonly S[],
): Promise<(S & { cost: Amount | null })[]> => {
  const running = services.filter(({ cycle }) => cycle !== null);
  const costs = await costsOf({ orgId: org.id, iccids: [...new Set(running.map(({ iccid }) => iccid))] });
  return services.map((service) => ({
    ...service,
    cost: service.cycle === null ? null : amountOf(costs.get(service.iccid)),
  }));
};

/** Amount and currency, as files have them. */
export const costCells = ({ cost }: { cost: Amount | null }): Cell[] => [
  cost ? Number(decimalOf(cost)) : null,
  cost?.currency ?? null,
];
