import type { RawBuilder, SqlBool } from 'kysely';
import type { Db } from '../db/index.ts';
import type { KeyType } from './key-types.rules.ts';

export type Fragment<T = unknown> = RawBuilder<T>;

/** A value by which rows are ordered. */
export interface SortKey {
  /** A column, or an expression over columns. */
  column: string | Fragment;
  type: KeyType;
  descending?: boolean;
  /** Set if it may be null: whether nulls sort as greater than all values, as in PostgreSQL's indexes, or as less. */
  nulls?: 'greatest' | 'least';
  /** The table with the column, if not the first. */
  table?: string;
  /**
   * For a first key whose order no single index provides: the table with its alias as a `union all` of pieces,
   * each ordered by the given expression and each with an index for this order or its beginning. They are
   * merged when the order is walked.
   */
  merged?: (orderedBy: Fragment) => Fragment;
  /**
   * For the first key: the columns in this order's index. Conditions on these alone are checked during the walk
   * without reading a table.
   */
  covers?: readonly string[];
}

/** A condition on rows. All column names are unqualified, so they must differ between the tables of a list. */
export interface Condition<Column extends string = string> {
  holds: Fragment<SqlBool>;
  /** A weaker condition that follows from it and that an index can answer, if no index answers the condition itself. */
  lookup?: Fragment<SqlBool>;
  /**
   * Alternatives, one of which must hold, each answered by an index; their matches are looked up one after the
   * other.
   */
  either?: readonly { holds: Fragment<SqlBool>; tables?: readonly string[] }[];
  /** The columns it reads: a window over the order reads no others. */
  columns: readonly Column[];
  /** The tables that have them, if not the first. */
  tables?: readonly string[];
  /** Set if so few rows match that all of them can be counted. */
  few?: true;
  /** Set if it reads a column of the order but is not a range of it. */
  scattered?: true;
  /** Set if an index lists its rows one by one, so that counting them can stop early. */
  listed?: true;
  /** Asks another source what it knows about the matches of a page. */
  narrow?: (position: PagePosition) => Promise<Narrowing>;
}

/** Where a page is in the order. */
export interface PagePosition {
  descending: boolean;
  /** The first key of the row before it, as text; undefined at the start of the order. */
  after: string | null | undefined;
  /** Number of matches to read from there on, including skipped ones. */
  rows: number;
  /** How many of them are skipped. */
  skipped: number;
  /** Up to how many matches are counted, before or after the page; of more, only their existence matters. */
  countLimit: number;
}

export interface Narrowing {
  /** Replaces the first table, with its alias; contains all matches of the page. */
  from?: Fragment;
  /** How many of the rows to skip are already left out of `from`; for lists without `searchLimits`. */
  skipped?: number;
  /** How many rows match. */
  total?: number;
  /** Whether there may be more. */
  isAtLeast?: boolean;
}

export interface ListTable<Scope> {
  name: string;
  /** The table with its alias, or a query in parentheses with one. */
  from: (context: QueryContext<Scope>) => Fragment;
  /** For a joined table: the join condition with the first. */
  on?: Fragment<SqlBool>;
  /** The list's key in this table, if it has it: then reads of this table alone need no join. */
  key?: Fragment;
  /** The condition for the rows that the caller may see. */
  inScope?: (context: QueryContext<Scope>, asFilter: boolean) => Fragment<SqlBool>;
}

export interface QueryContext<Scope> {
  /** The owner of the rows, as plain data: a cursor of another scope is rejected. */
  scope: Scope;
  now: Date;
}

/** What is known without reading rows. */
export interface KnownCounts {
  /** The exact number of matches of these conditions; undefined if it is not known without reading rows. */
  total?: (conditions: readonly Condition[]) => number | undefined;
  /** The number of rows in the scope without a filter. */
  rows?: number;
  /** Whether that is most of the table. */
  isMostOfTable?: boolean;
}

/** How far a list with many rows searches before it tries something else; the README has the whole decision. */
export interface SearchLimits {
  /**
   * Rows of the near window over the order, plus four times the end of the page; omitted if looking up matches
   * costs less.
   */
  near?: number;
  /** Rows of the far window, plus the same. */
  far: number;
  sample?: SampleLimits;
  /** Up to how many matches of a condition with `few` are counted. */
  few?: number;
}

/** Rows read in key order to find out whether matches are everywhere, and if so, to count them. */
export interface SampleLimits {
  few: number;
  many: number;
  /** Matches are everywhere from this share on. */
  denseShare: number;
  /** In scopes with more rows than this, a sample counts only up to `reducedCount`. */
  reducedCountAbove: number;
  reducedCount: number;
}

type Filters<Filter, Scope> = {
  [Field in keyof Filter]-?: (
    value: NonNullable<Filter[Field]>,
    context: QueryContext<Scope>,
  ) => Fragment<SqlBool> | Condition;
};

/**
 * The declaration of a list: where its rows are, how they are ordered and filtered, and what is shown of them.
 * `readPage` does the rest.
 */
export interface List<Scope, Filter extends object, Row, Item, Sort extends string = never> {
  /** Unique: a cursor of another list is rejected. */
  name: string;
  /** The first has all rows; the others are joined if an order or a condition reads them. */
  tables: readonly [ListTable<Scope>, ...ListTable<Scope>[]];
  /** Unique: it orders rows with equal sort keys, in the direction of the last of these. */
  key: SortKey;
  /** The orders to choose from, each with one or more keys. */
  sorts?: Readonly<Record<Sort, SortKey | readonly SortKey[]>>;
  /** The default order: one of `sorts`, other keys, or an empty list for the list's key alone. */
  order: Sort | `-${Sort}` | readonly SortKey[];
  /**
   * By field of the filter, or for all fields together. An undefined value, an empty text and an empty array
   * are no filter.
   */
  filters:
    | Filters<Filter, Scope>
    | ((db: Db, filter: Filter, context: QueryContext<Scope>) => Promise<readonly Condition[]>);
  /**
   * `all` if the rows are bounded otherwise; else the number up to which totals are exact and pages can be read
   * by number.
   */
  countLimit: number | 'all';
  /** What counters know: then nothing is counted, and far pages are read from the nearer end. */
  known?: (db: Db, filter: Filter, context: QueryContext<Scope>) => Promise<KnownCounts>;
  /** Whether the conditions are looked up by their own index, separately from `inScope`. */
  scopeAsFilter?: (conditions: readonly Condition[], known: KnownCounts) => boolean;
  /** Set if a walk along the order could find almost no matches: then matches are looked up, too. */
  searchLimits?: (sort: Sort | undefined) => SearchLimits;
  /** The columns of a row, read together with its key; without it `show` gets only `id`, the key. */
  select?: Fragment;
  show: (
    rows: readonly Row[],
    context: QueryContext<Scope> & { db: Db; filter: Filter },
  ) => readonly Item[] | Promise<readonly Item[]>;
}

// biome-ignore lint/suspicious/noExplicitAny: what is the same for every list does not know its rows
export type AnyList = List<any, any, any, any, any>;
