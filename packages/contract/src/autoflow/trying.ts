import { z } from 'zod';
import { iccidSchema } from '../identifiers.ts';
import { languages } from '../languages.ts';
import { channels } from '../notify/schemas.ts';
import { autoflowIdSchema, newTriggerSchema } from './rule.ts';
import { nameSchema, textsSchema } from './schemas.ts';

/** A rule as it is being written, with a SIM whose values stand for those of a firing. */
export const tryBodySchema = z.strictObject({
  name: nameSchema,
  /** The trigger of the rule. */
  event: newTriggerSchema,
  iccid: iccidSchema,
  /** Null: the product's own words. */
  template_id: autoflowIdSchema.nullable().default(null),
  /** Words that are being written, instead of those of a template. */
  texts: textsSchema.optional(),
});
export type TryBody = z.output<typeof tryBodySchema>;
export const tryAnswerSchema = z.object({
  /** What readers of each language get. */
  messages: z.array(
    z.object({ language: z.enum(languages), subject: z.string(), text: z.string(), sms: z.string() }),
  ),
  /** Body of the request to an API target. */
  request: z.object({ type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) }),
});
export type TryAnswer = z.output<typeof tryAnswerSchema>;
export const trySendBodySchema = tryBodySchema.extend({ group_id: autoflowIdSchema });
export type TrySendBody = z.output<typeof trySendBodySchema>;
export const trySentSchema = z.object({ notification_id: z.string(), channel: z.enum(channels) });
export type TrySent = z.output<typeof trySentSchema>;
