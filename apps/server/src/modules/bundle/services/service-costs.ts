import { allows } from '@simcube/contract';
import type { Cycle, Service } from '@simcube/contract/bundle';
import type { Amount } from '@simcube/contract/price';
import type { OrgContext } from '../../../platform/access/index.ts';
import type { Cell } from '../../../platform/files/index.ts';
import { amountOf, decimalOf, type FindCosts, type OwnSim } from '../../sim/index.ts';

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

/** What bills charge an organisation for cycles of its SIM, by their start; provided by the higher module `finance`. */
export type FindBilledCosts = (query: {
  orgId: number;
  simId: number;
}) => Promise<ReadonlyMap<string, Amount>>;

export interface CycleCosts {
  costsOf: FindCosts;
  billedCostsOf: FindBilledCosts;
}

/** Adds to cycles of one SIM the cost: of the running one so far, of others as billed for those who may see bills. */
export const withCycleCost = async <C extends Omit<Cycle, 'cost'>>(
  { costsOf, billedCostsOf }: CycleCosts,
  { org, sim, iccid }: { org: Pick<OrgContext, 'permissions'>; sim: OwnSim; iccid: string },
  cycles: readonly C[],
): Promise<(C & { cost: Amount | null })[]> => {
  const { orgId, id: simId } = sim;
  const maySeeBills = allows(org.permissions, 'customer-bill-cube', 'read');
  const [costs, billed] = await Promise.all([
    costsOf({ orgId, iccids: [iccid] }),
    maySeeBills ? billedCostsOf({ orgId, simId }) : undefined,
  ]);
  const running = costs.get(iccid);
  return cycles.map((cycle) => ({
    ...cycle,
    cost:
      cycle.started_at === running?.cycle.started_at
        ? amountOf(running)
        : (billed?.get(cycle.started_at) ?? null),
  }));
};

/** Amount and currency as in files. */
export const costCells = ({ cost }: { cost: Amount | null }): Cell[] => [
  cost ? { decimal: decimalOf(cost) } : null,
  cost?.currency ?? null,
];
