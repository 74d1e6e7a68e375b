import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { readSims } from '../sim/single-sim.ts';
import {
  cardSchema,
  lifecycleCountSchema,
  rankSchema,
  statisticsRanges,
  statisticsSchema,
} from './schemas.ts';

const signedIn = { kind: 'signed-in', member: true } as const;

export const dashboardEndpoints = {
  card: endpoint({
    id: 'dashboard.card',
    method: 'GET',
    path: '/cube/dashboard/card',
    summary: 'Active SIMs, usage of the month, overage SIMs and SIMs that expire soon',
    access: signedIn,
    response: cardSchema,
    errors: [],
    retry: 'safe',
  }),
  statistics: endpoint({
    id: 'dashboard.statistics',
    method: 'GET',
    path: '/cube/dashboard/statistics',
    summary: 'Usage over 24 hours, a week or six months (business days)',
    access: signedIn,
    query: z.strictObject({ range: z.enum(statisticsRanges).default('24h') }),
    response: statisticsSchema,
    errors: [],
    retry: 'safe',
  }),
  rank: endpoint({
    id: 'dashboard.rank',
    method: 'GET',
    path: '/cube/dashboard/rank',
    summary: 'SIMs with the most usage in the current cycle',
    access: readSims,
    response: rankSchema,
    errors: [],
    retry: 'safe',
  }),
  lifecycleCount: endpoint({
    id: 'dashboard.lifecycleCount',
    method: 'GET',
    path: '/cube/dashboard/lifecycleCount',
    summary: 'SIMs by lifecycle status',
    access: signedIn,
    response: lifecycleCountSchema,
    errors: [],
    retry: 'safe',
  }),
} as const;
