import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';
import { roleSchema } from '../identity/schemas.ts';

export const organisationSchema = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  country: z.string().length(2),
  tenantId: z.string(),
  default: z.boolean(),
  role: roleSchema,
  logo: z.string().nullable(),
  parent_code: z.string().nullable(),
  created_at: instantSchema,
});
export type Organisation = z.output<typeof organisationSchema>;
