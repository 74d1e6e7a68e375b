import { z } from 'zod';
import { iccidSchema } from '../identifiers.ts';
import { languages } from '../languages.ts';
import { notificationRequests } from '../notify/requests.ts';
import { channels } from '../notify/schemas.ts';
import { autoflowIdSchema, newTriggerSchema } from './rule.ts';
import { nameSchema, textsSchema } from './schemas.ts';

/** A rule that is being edited, with a SIM whose values are used as those of a firing. */
export const tryBodySchema = z.strictObject({
  name: nameSchema,
  /** The trigger of the rule. */
  event: newTriggerSchema,
  iccid: iccidSchema,
  /** Null: the standard text. */
  template_id: autoflowIdSchema.nullable().default(null),
  /** Texts that are being edited; they replace those of a template. */
  texts: textsSchema.optional(),
});
export type TryBody = z.output<typeof tryBodySchema>;
export const tryResponseSchema = z.object({
  /** Messages by language of the recipient. */
  messages: z.array(
    z.object({ language: z.enum(languages), subject: z.string(), text: z.string(), sms: z.string() }),
  ),
  /** Request body that an API target receives when the rule is tried out. */
  request: notificationRequests['autoflow.tried'].request,
});
export type TryResponse = z.output<typeof tryResponseSchema>;
export const trySendBodySchema = tryBodySchema.extend({ group_id: autoflowIdSchema });
export type TrySendBody = z.output<typeof trySendBodySchema>;
export const trySendResponseSchema = z.object({ notification_id: z.string(), channel: z.enum(channels) });
export type TrySendResponse = z.output<typeof trySendResponseSchema>;
