import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { pageSchema } from '../paging.ts';
import {
  addressGroupBodySchema,
  addressGroupSchema,
  groupSearchSchema,
  smsGroupBodySchema,
  smsGroupSchema,
} from './schemas.ts';

const read = { kind: 'permission', key: 'account', action: 'read' } as const;
const write = { kind: 'permission', key: 'account', action: 'write' } as const;
const groupId = z.string().regex(/^\d{1,18}$/);

export const notifyEndpoints = {
  listGroups: endpoint({
    id: 'notify.listGroups',
    method: 'GET',
    path: '/job-service/rest/subscribe/group',
    summary: 'Address groups of the organisation',
    access: read,
    query: pageSchema.extend(groupSearchSchema.shape),
    response: z.array(addressGroupSchema),
    list: true,
    errors: [],
    retry: 'safe',
  }),
  createGroup: endpoint({
    id: 'notify.createGroup',
    method: 'POST',
    path: '/job-service/rest/subscribe/group',
    summary: 'Make an address group',
    access: write,
    body: addressGroupBodySchema,
    response: addressGroupSchema,
    errors: ['CB-09-0016', 'CB-09-0018'],
    retry: 'never',
    audit: 'address-group.changed',
  }),
  updateGroup: endpoint({
    id: 'notify.updateGroup',
    method: 'PUT',
    path: '/job-service/rest/subscribe/group',
    summary: 'Change an address group',
    access: write,
    body: addressGroupBodySchema.extend({ groupId }),
    response: addressGroupSchema,
    errors: ['CB-09-0016', 'CB-09-0017'],
    retry: 'safe',
    audit: 'address-group.changed',
  }),
  listSmsGroups: endpoint({
    id: 'notify.listSmsGroups',
    method: 'GET',
    path: '/job-service/rest/subscribe/group/sms',
    summary: 'SMS subscribers of the organisation',
    access: read,
    query: pageSchema.extend(groupSearchSchema.shape),
    response: z.array(smsGroupSchema),
    list: true,
    errors: [],
    retry: 'safe',
  }),
  createSmsGroup: endpoint({
    id: 'notify.createSmsGroup',
    method: 'POST',
    path: '/job-service/rest/subscribe/group/sms',
    summary: 'Make an SMS subscriber',
    access: write,
    body: smsGroupBodySchema,
    response: smsGroupSchema,
    errors: ['CB-09-0016', 'CB-09-0018'],
    retry: 'never',
    audit: 'address-group.changed',
  }),
  updateSmsGroup: endpoint({
    id: 'notify.updateSmsGroup',
    method: 'PUT',
    path: '/job-service/rest/subscribe/group/sms',
    summary: 'Change an SMS subscriber',
    access: write,
    body: smsGroupBodySchema.extend({ groupId }),
    response: smsGroupSchema,
    errors: ['CB-09-0016', 'CB-09-0017'],
    retry: 'safe',
    audit: 'address-group.changed',
  }),
} as const;
