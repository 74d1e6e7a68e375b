import { z } from 'zod';

const text = z.string().max(64).optional().catch(undefined);

/** `userDetail?id=…&tab=…`; the available tabs depend on the account. */
export const userDetailSearchSchema = z.object({ id: text, tab: text });
