import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

const countSchema = z.number().int().nonnegative();

/** Apart from the other calls: the menu asks it beside every page, and so needs none of their schemas. */
export const ruleCountEndpoint = endpoint({
  id: 'autoflow.count',
  method: 'GET',
  path: '/rule-engine/auto_flow/cube/rules/count',
  summary: 'How many rules the organisation has, of how many it may have',
  access: { kind: 'permission', key: 'autoflow-cube', action: 'read' },
  response: z.object({ rules: countSchema, maximum: countSchema }),
  errors: [],
  retry: 'safe',
});
