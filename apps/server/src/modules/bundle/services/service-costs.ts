import type { Cycle, Service } from '@simcube/contract/bundle';
import type { Amount } from '@simcube/contract/price';
import type { Cell } from '../../../platform/files/index.ts';
import { amountOf, decimalOf, type FindCosts } from '../../sim/index.ts';

/** Adds to orders the cost of their running cycle; null without a cycle or a price. */
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

/** Adds to cycles of one SIM the cost of the running one; bills have those of the others. */
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

/** Amount and currency as in files. */
export const costCells = ({ cost }: { cost: Amount | null }): Cell[] => [
  cost ? Number(decimalOf(cost)) : null,
  cost?.currency ?? null,
];
