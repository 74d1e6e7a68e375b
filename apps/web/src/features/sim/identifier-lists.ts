import { z } from 'zod';
import { listStore } from '../../lib/list-store/index.ts';

const listSchema = z.object({
  iccids: z.array(z.string()).readonly(),
  notFound: z.array(z.string()).readonly(),
  duplicates: z.number(),
});
/** The result of a pasted or uploaded list of identifiers. */
export type IdentifierList = z.output<typeof listSchema>;

/** Up to 10,000 SIMs that were searched for. */
export const { save: storeIdentifierList, find: findIdentifierList } = listStore('sims', listSchema);
