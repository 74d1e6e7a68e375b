import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { poolIdSchema, poolNotFound, readPools } from '../pool/access.ts';
import { readSims, simNotFound, simParams } from '../sim/single-sim.ts';
import { cycleCostSchema, poolCostSchema } from './cost.ts';

export const priceEndpoints = {
  simCost: endpoint({
    id: 'price.simCost',
    method: 'GET',
    path: '/cube/sim/cost',
    summary: 'Cost of the SIM in its current cycle (provisional) by line; null without a price',
    access: readSims,
    query: simParams,
    response: cycleCostSchema.nullable(),
    errors: simNotFound,
    retry: 'safe',
  }),
  poolCost: endpoint({
    id: 'price.poolCost',
    method: 'GET',
    path: '/cube/pool/cost',
    summary: 'Cost of a shared pool in its current cycle (provisional) by line; null without a price',
    access: readPools,
    query: z.strictObject({ poolId: poolIdSchema }),
    response: poolCostSchema.nullable(),
    errors: poolNotFound,
    retry: 'safe',
  }),
} as const;
