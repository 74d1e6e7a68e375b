import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { iccidSchema } from '../identifiers.ts';
import { simDetailEndpoints } from './details.ts';
import { simDiagnoseEndpoints } from './diagnose.ts';
import { simOperationEndpoints } from './operations.ts';
import {
  simBasicSchema,
  simConnectionSchema,
  simConnectionStatusSchema,
  simEventQuerySchema,
  simEventSchema,
  simListBodySchema,
  simRowSchema,
  simUsageQuerySchema,
  simUsageSchema,
} from './schemas.ts';

const read = { kind: 'permission', key: 'sim', action: 'read' } as const;
const ofSim = z.strictObject({ iccid: iccidSchema });

export const simEndpoints = {
  list: endpoint({
    id: 'sim.list',
    method: 'POST',
    path: '/cube/sim/list/es',
    summary: 'SIMs of the organisation by filter, a page at a time',
    access: read,
    body: simListBodySchema,
    response: z.array(simRowSchema),
    list: true,
    errors: ['CB-00-0406'],
    retry: 'safe',
    audit: 'none',
  }),
  basic: endpoint({
    id: 'sim.basic',
    method: 'GET',
    path: '/cube/sim/basic',
    summary: 'Identity, lifecycle, bundle in use and cycle of one SIM',
    access: read,
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
    access: read,
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
    access: read,
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
    access: read,
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
    access: read,
    query: simEventQuerySchema,
    response: z.array(simEventSchema),
    list: true,
    errors: ['CB-01-0001', 'CB-00-0406'],
    retry: 'safe',
  }),
  ...simOperationEndpoints,
  ...simDetailEndpoints,
  ...simDiagnoseEndpoints,
} as const;
