import { z } from 'zod';
import { listStore } from './list-store.ts';

/** Up to this number of identifiers are in the URL itself, so that the link also works for others. */
export const maxSimsInUrl = 50;

/** A filter by SIMs: their identifiers, or the key of a longer list that is stored in this tab. */
export interface SimsInUrl {
  sims?: string[] | undefined;
  list?: string | undefined;
}

interface SimsOptions {
  /** The kind of the stored lists. */
  kind: string;
  identifier: z.ZodType<string>;
  max: number;
}

export type SimsOfUrl = ReturnType<typeof simsInUrl>;

/** The SIMs that a list's URL filters by. */
export const simsInUrl = ({ kind, identifier, max }: SimsOptions) => {
  const lists = listStore(kind, z.object({ identifiers: z.array(z.string()) }));
  /** Undefined if there is no such filter, and if the list belongs to another tab. */
  const simsOf = ({ sims, list }: SimsInUrl): string[] | undefined =>
    list === undefined ? sims : lists.find(list)?.identifiers;
  return {
    max,
    isIdentifier: (text: string): boolean => identifier.safeParse(text).success,
    simsOf,
    /** The search parameters for at most `max` different identifiers. */
    simParams: (sims: readonly string[] = []): Required<SimsInUrl> => {
      if (sims.length > maxSimsInUrl)
        return { sims: undefined, list: lists.save({ identifiers: [...sims] }) };
      return { sims: sims.length > 0 ? [...sims] : undefined, list: undefined };
    },
    /** The URL refers to a list that this tab does not have: it came from elsewhere. */
    listIsMissing: (params: SimsInUrl): boolean => params.list !== undefined && simsOf(params) === undefined,
  };
};
