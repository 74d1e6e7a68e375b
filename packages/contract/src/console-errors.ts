import { z } from 'zod';
import { limits } from './limits.ts';

/** Where the console reports its errors (specification, section 8, HTTP 500): not a call of the gateway, as it needs no sign-in. */
export const consoleErrorsPath = '/console-errors';

export const consoleErrorKinds = ['server error', 'screen'] as const;
export type ConsoleErrorKind = (typeof consoleErrorKinds)[number];

const { message, stack } = limits.consoleErrors;

/** What the console says of an error: nothing of the call but its trace id. */
export const consoleErrorSchema = z.strictObject({
  /** An answer with HTTP 500, or a screen that could not be drawn. */
  where: z.enum(consoleErrorKinds),
  message: z.string().max(message),
  stack: z.string().max(stack).nullable(),
  /** Language and screen of the page, without what it shows. */
  path: z.string().max(200),
  version: z.string().max(40),
  trace_id: z.string().max(100).nullable(),
});
export type ConsoleError = z.infer<typeof consoleErrorSchema>;
