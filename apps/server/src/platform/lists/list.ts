import type { RawBuilder, SqlBool } from 'kysely';
import type { Db } from '../db/index.ts';
import type { KeyType } from './key-types.rules.ts';

export type Fragment<T = unknown> = RawBuilder<T>;

/** One value by which rows are ordered. */
export interface SortKey {
  /** A column, or an expression over columns. */
  column: string | Fragment;
  type: KeyType;
  descending?: boolean;
  /** Set when it may be null: nulls then count as greater than all values, as in PostgreSQL's indexes, or as less. */
  nulls?: 'greatest' | 'least';
  /** The table that has it, when not the first. */
  of?: string;
  /**
   * Of the first key: the table with its alias, in pieces of each of which an index knows this order or how it begins, each
   * ordered by what is given, `union all`: where the order is walked, they are merged.
   */
  merged?: (orderedBy: Fragment) => Fragment;
  /** Of the first key: what the index of this order holds. Conditions on these alone are checked along the walk without any table. */
  covers?: readonly string[];
}

/** A condition on rows. All column names are unqualified, so they must differ between the tables of a list. */
export interface Condition<Column extends string = string> {
  holds: Fragment<SqlBool>;
  /** What follows from it and an index knows, where no index knows the condition itself. */
  lookup?: Fragment<SqlBool>;
  /** Conditions each of which an index knows, and one of which is enough; their matches are looked up one by one. */
  either?: readonly { holds: Fragment<SqlBool>; of?: readonly string[] }[];
  /** The columns it reads: a window over the order fetches no others. */
  columns: readonly Column[];
  /** The tables that have them, when not the first. */
  of?: readonly string[];
  /** Set when it is known to hold for so few rows that all of them are counted. */
  few?: true;
  /** Set when it reads a column that rows are ordered by and is yet no range of it. */
  scattered?: true;
  /** Set when an index lists its rows one by one, so that counting them can stop early. */
  listed?: true;
  /** Asks what beside the table knows of the matches of a page. */
  narrowed?: (place: PagePlace) => Promise<Narrowed>;
}

/** Where in the order a page is. */
export interface PagePlace {
  descending: boolean;
  /** The first key of the row before it, as a text; undefined at the start of the order. */
  after: string | null | undefined;
  /** As many matches from there on are read, those that are skipped among them. */
  rows: number;
  /** Of these so many are skipped. */
  skipped: number;
  /** So many matches are counted, whether before or after it; that there are more, is all that is asked of more. */
  counted: number;
}

export interface Narrowed {
  /** In place of the first table, with its alias: it has all matches of the page. */
  from?: Fragment;
  /** Of the rows that the page skips so many are not among them; for lists without steps. */
  skipped?: number;
  /** How many rows match. */
  total?: number;
  /** There may be more. */
  isAtLeast?: boolean;
}

export interface ListTable<Scope> {
  name: string;
  /** The table with its alias, or a query in parentheses with one. */
  from: (asked: Asked<Scope>) => Fragment;
  /** Of a table that is joined: to which row of the first. */
  on?: Fragment<SqlBool>;
  /** The list's key, where another table has it, too: what is read from that table alone needs no join. */
  key?: Fragment;
  /** Which of its rows the caller may see. */
  own?: (asked: Asked<Scope>, beside: boolean) => Fragment<SqlBool>;
}

export interface Asked<Scope> {
  /** Whose rows, in plain data: a cursor of another scope is refused. */
  scope: Scope;
  now: Date;
}

/** What is known without looking at the rows. */
export interface Known {
  /** How many rows match these conditions, exactly; undefined when only reading them would show it. */
  total?: (conditions: readonly Condition[]) => number | undefined;
  /** How many rows the scope has without any filter. */
  rows?: number;
  /** Whether that is most of the table. */
  isMost?: boolean;
}

/** How far a list with many rows looks before it tries something else; see the README for the whole decision. */
export interface Steps {
  /**
   * Rows of the first window over the order, to which four times the reach of the page is added; left out where looking up
   * matches costs less.
   */
  near?: number;
  /** And of the second. */
  far: number;
  sample?: SampleSteps;
  /** How far matches of a condition that has `few` are counted. */
  few?: number;
}

/** Rows in the order of the key, looked at to learn whether matches are everywhere, and to count them then. */
export interface SampleSteps {
  few: number;
  many: number;
  /** From this share on they are everywhere. */
  denseShare: number;
  /** Of more rows than these, a sample counts no further than `leastShown`. */
  countedOut: number;
  leastShown: number;
}

type Filtering<Filter, Scope> = {
  [Field in keyof Filter]-?: (
    value: NonNullable<Filter[Field]>,
    asked: Asked<Scope>,
  ) => Fragment<SqlBool> | Condition;
};

/**
 * A list, declared: where its rows are, how they are ordered and filtered, and what is shown of them. `readPage` does the
 * rest.
 */
export interface List<Scope, Filter extends object, Row, Item, Sort extends string = never> {
  /** Unique: a cursor of another list is refused. */
  name: string;
  /** The first has all rows; the others are joined when an order or a condition reads them. */
  tables: readonly [ListTable<Scope>, ...ListTable<Scope>[]];
  /** What no two rows share: it decides among equal sort keys, in the direction of the last of them. */
  key: SortKey;
  /** The orders to choose from, each of a key or several. */
  sorts?: Readonly<Record<Sort, SortKey | readonly SortKey[]>>;
  /** The order when none is chosen: one of those, or keys of its own, or none but the list's key. */
  order: Sort | `-${Sort}` | readonly SortKey[];
  /** By field of the filter, or all at once. What is undefined, empty or an empty array is no filter. */
  filters:
    | Filtering<Filter, Scope>
    | ((db: Db, filter: Filter, asked: Asked<Scope>) => Promise<readonly Condition[]>);
  /**
   * `all` where something else bounds the rows; else totals are exact up to so many rows, and pages by number reach as
   * far.
   */
  counted: number | 'all';
  /** What counters know: then nothing is counted, and far pages are read from the nearer end. */
  known?: (db: Db, filter: Filter, asked: Asked<Scope>) => Promise<Known>;
  /** Whether `own` of the tables is asked to stand beside conditions that an index of its own answers. */
  beside?: (conditions: readonly Condition[], known: Known) => boolean;
  /** Set when a walk along the order could meet next to no matches: then matches are looked up as well. */
  steps?: (sort: Sort | undefined) => Steps;
  /** The columns of a row, read along with its key; without it `show` is given `id`, the key, alone. */
  select?: Fragment;
  show: (
    rows: readonly Row[],
    asked: Asked<Scope> & { db: Db; filter: Filter },
  ) => readonly Item[] | Promise<readonly Item[]>;
}

// biome-ignore lint/suspicious/noExplicitAny: what is the same for every list does not know its rows
export type AnyList = List<any, any, any, any, any>;
