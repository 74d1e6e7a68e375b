import { endpoint } from '../endpoint.ts';
import { ofSim, readSims, simNotFound } from '../sim/one-sim.ts';
import { simCostSchema } from './cost.ts';

export const priceEndpoints = {
  simCost: endpoint({
    id: 'price.simCost',
    method: 'GET',
    path: '/cube/sim/cost',
    summary:
      'What the SIM has cost in its running cycle (provisional) and what that is made of; null without a price',
    access: readSims,
    query: ofSim,
    response: simCostSchema.nullable(),
    errors: simNotFound,
    retry: 'safe',
  }),
} as const;
