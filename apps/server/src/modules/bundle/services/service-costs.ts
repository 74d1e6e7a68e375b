import type { Cycle, Service } from '@simcube/contract/bundle';
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

/** Cycles of one SIM, the running one with what it has cost; the others are bills'. */
export const withCycleCost = async <C extends Omit<Cycle, 'cost'>>(
  costsOf: FindCosts,
  { orgId, iccid }: { orgId: number; iccid: string },
  cycles: readonly C[],
): Promise<(C & { cost: Amount | null })[]> => {
  const cost = (await costsOf({ orgId, iccids: [iccid] })).get(iccid);
  return cycles.map((cycle) => ({
    ...cycle,
    cost: cycle.started_at === cost?.cycle.started_at ? amountOf(cost) : null,
  }));
};

/** Amount and currency, as files have them. */
export const costCells = ({ cost }: { cost: Amount | null }): Cell[] => [
  cost ? Number(decimalOf(cost)) : null,
  cost?.currency ?? null,
];
