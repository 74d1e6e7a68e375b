import { z } from 'zod';
import { keptLists } from '../../lib/kept-lists/index.ts';

const listSchema = z.object({
  iccids: z.array(z.string()).readonly(),
  notFound: z.array(z.string()).readonly(),
  duplicates: z.number(),
});
/** The result of a pasted or uploaded list of identifiers. */
export type IdentifierList = z.output<typeof listSchema>;

/** Up to 10,000 SIMs that were searched for. */
export const { keep: storeIdentifierList, find: findIdentifierList } = keptLists('sims', listSchema);
