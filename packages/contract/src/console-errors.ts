import { z } from 'zod';
import { limits } from './limits.ts';

/** Where the console reports its errors (specification, section 8, HTTP 500): not a call of the gateway, as it needs no sign-in. */
export const consoleErrorsPath = '/console-errors';

export const consoleErrorKinds = ['server error', 'screen', 'action'] as const;
export type ConsoleErrorKind = (typeof consoleErrorKinds)[number];

const { message, stack } = limits.consoleErrors;

/** An error reported by the console; of a failed call it contains only the trace id. */
export const consoleErrorSchema = z.strictObject({
  /** A response with HTTP 500, a screen that could not be rendered, or a bug that stopped what a person had started. */
  where: z.enum(consoleErrorKinds),
  message: z.string().max(message),
  stack: z.string().max(stack).nullable(),
  /** Language and screen of the page, without ids or filters. */
  path: z.string().max(200),
  version: z.string().max(40),
  trace_id: z.string().max(100).nullable(),
});
export type ConsoleError = z.infer<typeof consoleErrorSchema>;
