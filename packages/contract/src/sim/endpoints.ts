import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { simDetailEndpoints } from './details.ts';
import { simEventQuerySchema, simEventSchema } from './events.ts';
import { ofSim, readSims } from './one-sim.ts';
import { simOperationEndpoints } from './operations.ts';
import {
  simBasicSchema,
  simConnectionSchema,
  simConnectionStatusSchema,
  simListBodySchema,
  simRowSchema,
  simUsageQuerySchema,
  simUsageSchema,
} from './schemas.ts';

export const simEndpoints = {
  list: endpoint({
    id: 'sim.list',
    method: 'POST',
    path: '/cube/sim/list/es',
    summary: 'SIMs of the organisation by filter, a page at a time',
    access: readSims,
    body: simListBodySchema,
    response: z.array(simRowSchema),
    list: true,
    errors: [],
    retry: 'safe',
    audit: 'none',
  }),
  basic: endpoint({
    id: 'sim.basic',
    method: 'GET',
    path: '/cube/sim/basic',
    summary: 'Identity, lifecycle, bundle in use and cycle of one SIM',
    access: readSims,
    query: ofSim,
    response: simBasicSchema,
    errors: ['CB-01-0001'],
    retry: 'safe',
  }),
  connection: endpoint({
    id: 'sim.connection',
    method: 'GET',
    path: '/cube/sim/connection',
    summary: 'Connection and current or last session of one SIM',
    access: readSims,
    query: ofSim,
    response: simConnectionSchema,
    errors: ['CB-01-0001'],
    retry: 'safe',
  }),
  connectionStatus: endpoint({
    id: 'sim.connectionStatus',
    method: 'GET',
    path: '/cube/sim/connection/status',
    summary: 'Connection status of one SIM',
    access: readSims,
    query: ofSim,
    response: simConnectionStatusSchema,
    errors: ['CB-01-0001'],
    retry: 'safe',
  }),
  usage: endpoint({
    id: 'sim.usage',
    method: 'GET',
    path: '/cube/sim/usage',
    summary: 'Usage of one SIM by hour, day or month (UTC+0), and by network',
    access: readSims,
    query: simUsageQuerySchema,
    response: simUsageSchema,
    errors: ['CB-01-0001'],
    retry: 'safe',
  }),
  events: endpoint({
    id: 'sim.events',
    method: 'GET',
    path: '/cube/sim/event',
    summary: 'Events of one SIM, newest first',
    access: readSims,
    query: simEventQuerySchema,
    response: z.array(simEventSchema),
    list: true,
    errors: ['CB-01-0001'],
    retry: 'safe',
  }),
  ...simOperationEndpoints,
  ...simDetailEndpoints,
} as const;
