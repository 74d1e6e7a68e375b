import { z } from 'zod';

const text = z.string().max(64).optional().catch(undefined);

/** `userDetail?id=…&tab=…`; which tabs there are depends on whose account it is. */
export const userDetailSearchSchema = z.object({ id: text, tab: text });
