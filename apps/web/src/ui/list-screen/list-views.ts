import type { ErrorCode } from '@simcube/contract';
import type { z } from 'zod';

/** What can be done with a saved view: `change` is its name and what it shows. */
export type ViewAction = 'change' | 'share' | 'withdraw' | 'remove';

/** A filter and a sort of a list under a name. */
export interface ListView<S> {
  id: string;
  name: string;
  /** Everybody in the organisation sees it. */
  shared: boolean;
  own: boolean;
  /** Who saved it; null when it is the organisation's. */
  owner: string | null;
  /** Some of it no longer exists: it shows more rows than were meant. */
  outdated: boolean;
  may: readonly ViewAction[];
  /** The filter and the sort, as an address holds them. */
  open: () => S;
  /** Whether the address has its filter and its sort. */
  isShownBy: (search: S) => boolean;
}

type NameSchema = z.ZodObject<{ name: z.ZodType<string> }>;

/** The saved views of a list, and the calls that change them; a call that fails rejects. */
export interface ListViews<S> {
  /** Name of the tab of all rows. */
  all: string;
  /** In the person's order; undefined while they are on their way, or could not be read. */
  views: readonly ListView<S>[] | undefined;
  error: unknown;
  refetch: () => unknown;
  /** How a name is checked: a part of the request's schema, and the codes that are about it. */
  naming: { schema: NameSchema; maxLength: number; codes: readonly ErrorCode[] };
  /** @returns the id of the new view */
  save: (name: string, search: S) => Promise<string>;
  rename: (id: string, name: string) => Promise<void>;
  update: (id: string, search: S) => Promise<void>;
  share: (id: string) => Promise<void>;
  withdraw: (id: string) => Promise<void>;
  remove: (id: string) => Promise<void>;
  order: (ids: readonly string[]) => Promise<void>;
}
