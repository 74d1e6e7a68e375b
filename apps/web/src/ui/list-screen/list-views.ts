import type { ErrorCode } from '@simcube/contract';
import type { z } from 'zod';

/** An action on a saved view; `change` covers its name and its content. */
export type ViewAction = 'change' | 'share' | 'withdraw' | 'remove';

/** A filter and a sort of a list, saved under a name. */
export interface ListView<S> {
  id: string;
  name: string;
  /** Visible to everybody in the organisation. */
  shared: boolean;
  own: boolean;
  /** The person who saved it; null if it belongs to the organisation. */
  owner: string | null;
  /** Part of its filter no longer exists: it shows more rows than intended. */
  outdated: boolean;
  may: readonly ViewAction[];
  /** The filter and the sort as search parameters. */
  open: () => S;
  /** Whether the URL has its filter and its sort. */
  isShownBy: (search: S) => boolean;
}

type NameSchema = z.ZodObject<{ name: z.ZodType<string> }>;

/** The saved views of a list, and the calls that change them; they reject on failure. */
export interface ListViews<S> {
  /** Name of the tab with all rows. */
  all: string;
  /** In the person's order; undefined while loading, or if loading failed. */
  views: readonly ListView<S>[] | undefined;
  error: unknown;
  refetch: () => unknown;
  /** False while a part of the filter is not known here: what would be saved is not what the person sees in the URL. */
  isSavable: (search: S) => boolean;
  /** How a name is validated: a part of the request's schema, and the error codes about it. */
  naming: { schema: NameSchema; codes: readonly ErrorCode[] };
  /** @returns the id of the new view */
  save: (name: string, search: S) => Promise<string>;
  rename: (id: string, name: string) => Promise<void>;
  update: (id: string, search: S) => Promise<void>;
  share: (id: string) => Promise<void>;
  withdraw: (id: string) => Promise<void>;
  remove: (id: string) => Promise<void>;
  order: (ids: readonly string[]) => Promise<void>;
}
