import { z } from 'zod';
import { serviceSchema } from '../bundle/schemas.ts';
import { bytesSchema, instantSchema } from '../identifiers.ts';
import { networkSchema, simBasicSchema, simConnectionSchema } from './schemas.ts';

/** All details of one SIM in one response. */
export const simDetailsSchema = z.object({
  basic: simBasicSchema,
  connection: simConnectionSchema,
  services: z.array(serviceSchema),
  location: z
    .object({ latitude: z.number(), longitude: z.number(), cell: z.string(), at: instantSchema })
    .nullable(),
});

export const simSessionSchema = z.object({
  id: z.string(),
  started_at: instantSchema,
  updated_at: instantSchema,
  stopped_at: instantSchema.nullable(),
  terminate_cause: z.string().nullable(),
  up_bytes: bytesSchema,
  down_bytes: bytesSchema,
  ip: z.string().nullable(),
  apn: z.string().nullable(),
  imei: z.string().nullable(),
  network: networkSchema.nullable(),
  cell: z.string().nullable(),
});

export type SimSession = z.output<typeof simSessionSchema>;
