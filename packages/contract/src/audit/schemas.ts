import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';
import { searchSchema } from '../text.ts';
import { auditActions } from './actions.ts';

/** Who did it: a person, an API key, the operator at the command line, or the system. */
export const actorKinds = ['person', 'key', 'operator', 'system'] as const;
export type ActorKind = (typeof actorKinds)[number];

export const auditActionSchema = z.enum(auditActions);
export const auditSubjectKinds = [
  'account',
  'organisation',
  'invitation',
  'session',
  'person',
  'sim',
  'task',
  'group',
  'view',
  'job',
  'fact',
  'gateway',
  'smsc',
  'bundle',
  'zone',
  'tariff',
  'bill',
  'pool',
  'schedule',
  'autoflow',
  'autoflow-template',
  'api-key',
  'webhook',
  'file',
  'installation',
] as const;
export type AuditSubjectKind = (typeof auditSubjectKinds)[number];

/** Values of a subject's fields before or after the change; never contains secrets. */
const valuesSchema = z.record(z.string(), z.unknown());

export const auditEntrySchema = z.object({
  /** Number in the organisation's chain: from 1, without gaps. */
  number: z.number().int(),
  at: instantSchema,
  action: auditActionSchema,
  actor: z.object({ kind: z.enum(actorKinds), id: z.string().nullable(), name: z.string() }),
  subject: z.object({ kind: z.enum(auditSubjectKinds), id: z.string(), name: z.string() }),
  before: valuesSchema.nullable(),
  after: valuesSchema.nullable(),
  address: z.string().nullable(),
  trace_id: z.string().nullable(),
  /** SHA-256 of this entry and the hash of the previous one, hexadecimal. */
  hash: z.string(),
});
export type AuditEntry = z.output<typeof auditEntrySchema>;

/** A change of one object: its entry without addresses and hashes, for those who may see the object. */
export const changeEntrySchema = auditEntrySchema.pick({
  number: true,
  at: true,
  action: true,
  actor: true,
  before: true,
  after: true,
});
export type ChangeEntry = z.output<typeof changeEntrySchema>;

export const auditFilterSchema = z.strictObject({
  search: searchSchema(100).optional(),
  action: z.array(auditActionSchema).max(auditActions.length).optional(),
  actor_id: z.uuid().optional(),
  /** Returns only this entry. */
  number: z.int().min(1).max(2_147_483_647).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
});
