import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

const countSchema = z.number().int().nonnegative();

/** In a file of its own: the menu makes this call on every page and must not load the schemas of the others. */
export const ruleCountEndpoint = endpoint({
  id: 'autoflow.count',
  method: 'GET',
  path: '/rule-engine/auto_flow/cube/rules/count',
  summary: 'Number of rules of the organisation, and the maximum',
  access: { kind: 'permission', key: 'autoflow-cube', action: 'read' },
  response: z.object({ rules: countSchema, maximum: countSchema }),
  errors: [],
  retry: 'safe',
});
