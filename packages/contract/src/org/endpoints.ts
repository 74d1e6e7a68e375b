import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { pageSchema } from '../paging.ts';
import { organisationSchema } from './schemas.ts';

export const orgEndpoints = {
  listMine: endpoint({
    id: 'org.listMine',
    method: 'GET',
    path: '/customer/orgs',
    summary: 'Organisations that the person belongs to, the default one first',
    access: { kind: 'signed-in', member: false },
    query: pageSchema.extend({ search: z.string().trim().max(40).optional() }),
    response: z.array(organisationSchema),
    list: true,
    errors: [],
    retry: 'safe',
  }),
} as const;
