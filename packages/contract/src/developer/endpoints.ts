import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { checkOrder } from '../order.ts';
import { pageSchema } from '../paging.ts';
import {
  apiCallSchema,
  apiKeyBodySchema,
  apiKeySchema,
  apiLogFilterSchema,
  callerSchema,
  createdApiKeySchema,
} from './schemas.ts';

const read = { kind: 'permission', key: 'cube-developer-key', action: 'read' } as const;
const write = { kind: 'permission', key: 'cube-developer-key', action: 'write' } as const;

export const developerEndpoints = {
  listKeys: endpoint({
    id: 'developer.listKeys',
    method: 'GET',
    path: '/cube/developer/key/api',
    summary: "The account's own API keys in the organisation, newest first",
    access: read,
    query: pageSchema,
    response: z.array(apiKeySchema),
    list: true,
    errors: [],
    retry: 'safe',
  }),
  readCaller: endpoint({
    id: 'developer.readCaller',
    method: 'GET',
    path: '/cube/developer/key/api/current',
    summary: 'The account, organisation and permissions of the caller, and the API key that signed the call',
    access: { kind: 'signed-in', member: true },
    limitedKeys: true,
    response: callerSchema,
    errors: [],
    retry: 'safe',
  }),
  createKey: endpoint({
    id: 'developer.createKey',
    method: 'POST',
    path: '/cube/developer/key/api',
    summary: 'Create an API key; its private key is returned only once',
    access: write,
    // Access by a key that could create other keys would survive the removal of the key.
    sessionOnly: true,
    body: apiKeyBodySchema,
    response: createdApiKeySchema,
    errors: ['CB-08-0001'],
    retry: 'never',
    confidential: true,
    audit: 'api-key.created',
    weight: 10,
  }),
  removeKey: endpoint({
    id: 'developer.removeKey',
    method: 'DELETE',
    path: '/cube/developer/key/api/{id}',
    summary: 'Remove an API key: calls with it are no longer accepted',
    access: write,
    params: z.strictObject({ id: z.uuid() }),
    response: z.null(),
    errors: [],
    retry: 'safe',
    audit: 'api-key.removed',
  }),
  listCalls: endpoint({
    id: 'developer.listCalls',
    method: 'POST',
    path: '/cube/developer/log/api',
    summary: "Calls made with the account's keys in the last 30 days, newest first",
    access: read,
    body: pageSchema
      .extend({
        ...apiLogFilterSchema.shape,
        /** False omits header, body and response, each of which may have 8 kB. */
        content: z.boolean().default(true),
      })
      .superRefine(checkOrder),
    response: z.array(apiCallSchema),
    list: true,
    errors: [],
    retry: 'safe',
    audit: 'none',
    weight: 4,
  }),
} as const;
