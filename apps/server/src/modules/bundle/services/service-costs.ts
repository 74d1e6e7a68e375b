import { allows } from '@simcube/contract';
import type { Cycle, Service } from '@simcube/contract/bundle';
import type { Amount } from '@simcube/contract/price';
import type { OrgContext } from '../../../platform/access/index.ts';
import type { Cell } from '../../../platform/files/index.ts';
import { amountOf, decimalOf, type FindCosts, type OwnSim } from '../../sim/index.ts';
import type { UnpricedCycle } from './cycles.views.ts';

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

/** What ended cycles of a SIM cost, by their start; provided by the higher module `finance`. */
export type FindPastCosts = (query: {
  orgId: number;
  simId: number;
  cycles: readonly { started_at: string; ends_at: string }[];
  maySeeBills: boolean;
  now: Date;
}) => Promise<ReadonlyMap<string, { cost: Amount; provisional: boolean }>>;

export interface CycleCosts {
  costsOf: FindCosts;
  pastCostsOf: FindPastCosts;
}

/** Adds to cycles of one SIM the cost: of the running one so far, of others as billed or, until then, as computed. */
export const withCycleCost = async <C extends UnpricedCycle>(
  { costsOf, pastCostsOf }: CycleCosts,
  { org, sim, iccid, now }: { org: Pick<OrgContext, 'permissions'>; sim: OwnSim; iccid: string; now: Date },
  cycles: readonly C[],
): Promise<(C & Pick<Cycle, 'cost' | 'cost_provisional'>)[]> => {
  const { orgId, id: simId } = sim;
  const maySeeBills = allows(org.permissions, 'customer-bill-cube', 'read');
  const ended = cycles.filter(({ current }) => !current);
  const [costs, past] = await Promise.all([
    costsOf({ orgId, iccids: [iccid] }),
    ended.length > 0 ? pastCostsOf({ orgId, simId, cycles: ended, maySeeBills, now }) : undefined,
  ]);
  const running = costs.get(iccid);
  return cycles.map((cycle) => {
    const isRunning = cycle.started_at === running?.cycle.started_at;
    const found = past?.get(cycle.started_at);
    return {
      ...cycle,
      cost: isRunning ? amountOf(running) : (found?.cost ?? null),
      cost_provisional: isRunning || found?.provisional === true,
    };
  });
};

/** Amount and currency as in files. */
export const costCells = ({ cost }: { cost: Amount | null }): Cell[] => [
  cost ? { decimal: decimalOf(cost) } : null,
  cost?.currency ?? null,
];
