import { z } from 'zod';
import { instantSchema, phoneSchema } from '../identifiers.ts';
import { emailSchema } from '../identity/schemas.ts';
import { limits } from '../limits.ts';
import { searchSchema, textSchema } from '../text.ts';

/** People or phones that are notified together (specification, section 3: address group, SMS subscriber). */
export const addressGroupSchema = z.object({
  id: z.string(),
  name: z.string(),
  emails: z.array(z.string()),
  created_at: instantSchema,
});
export type AddressGroup = z.output<typeof addressGroupSchema>;
export const smsGroupSchema = z.object({
  id: z.string(),
  name: z.string(),
  phones: z.array(z.string()),
  created_at: instantSchema,
});
export type SmsGroup = z.output<typeof smsGroupSchema>;

/** A list without repetitions: the second of two that are the same is the one that is wrong. */
const each = <S extends z.ZodType<string>>(one: S, max: number) =>
  z
    .array(one)
    .min(1)
    .max(max)
    .superRefine((all, context) => {
      for (const [index, value] of all.entries()) {
        if (all.indexOf(value) < index)
          context.addIssue({ code: 'custom', message: 'duplicate', path: [index] });
      }
    });

const groupName = textSchema({ max: limits.addressGroups.name });
export const addressGroupBodySchema = z.strictObject({
  name: groupName,
  emails: each(emailSchema, limits.addressGroups.emails),
});
export const smsGroupBodySchema = z.strictObject({
  name: groupName,
  phones: each(phoneSchema, limits.addressGroups.phones),
});

/** Groups are found by a part of their name or of one of their addresses. */
export const groupSearchSchema = z.strictObject({
  search: searchSchema(limits.addressGroups.search).optional(),
});
