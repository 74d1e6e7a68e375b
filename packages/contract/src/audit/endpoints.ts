import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { checkOrder } from '../order.ts';
import { pageSchema } from '../paging.ts';
import { auditEntrySchema, auditFilterSchema } from './schemas.ts';

export const auditEndpoints = {
  list: endpoint({
    id: 'audit.list',
    method: 'POST',
    path: '/customer/operation/log/list',
    summary: 'Audit trail of the organisation, newest first',
    access: { kind: 'permission', key: 'account', action: 'read' },
    body: pageSchema.extend(auditFilterSchema.shape).superRefine(checkOrder),
    response: z.array(auditEntrySchema),
    list: true,
    errors: [],
    retry: 'safe',
    audit: 'none',
  }),
  export: endpoint({
    id: 'audit.export',
    method: 'POST',
    path: '/customer/operation/log/export',
    summary: 'The same as a CSV file, with the hashes of the chain',
    access: { kind: 'permission', key: 'account', action: 'read' },
    body: auditFilterSchema.superRefine(checkOrder),
    response: 'file',
    formats: ['csv'],
    errors: [],
    retry: 'safe',
    audit: 'none',
    weight: 20,
  }),
} as const;
