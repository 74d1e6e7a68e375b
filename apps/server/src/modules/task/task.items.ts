import type { ErrorCode, InputIssue } from '@simcube/contract';
import type { PhraseKey, PhraseValues } from '@simcube/phrases';
import type { Sql } from '../../platform/db/index.ts';
import type { Cell } from '../../platform/files/index.ts';

/** One column of a report: what it shows of an item. */
export interface ItemColumn {
  heading: PhraseKey;
  value(item: { label: string; input: unknown }): Cell;
}

/** What the items of a task are: declared by the module that owns the things, and named by its operations. */
export interface ItemKind {
  /** Stored with each item and part of the API, so it never changes: one word, in lower case. */
  name: string;
  /** Columns of the report that say which item it is; what became of it follows. */
  columns: readonly ItemColumn[];
  /** Values for the words of a refusal that have places. */
  refusalValues?(code: ErrorCode): PhraseValues | undefined;
  /**
   * Those of the things that are the organisation's now: they may have changed hands since they were ordered. Without it
   * they never do.
   */
  findOwn?(sql: Sql, asked: { orgId: number; refs: readonly number[] }): Promise<ReadonlySet<number>>;
}

/** The column that all kinds have: what people call the item. */
export const labelColumn = (heading: PhraseKey): ItemColumn => ({ heading, value: ({ label }) => label });

/** An item as a task is given it. */
export interface NewItem {
  /** The thing's number among those of its kind; null when there is no such thing, which is refused from the start. */
  ref: number | null;
  /** What people call it: its number or name. */
  label: string;
  /** What is wanted of this item alone. */
  input?: unknown;
  /** Why it is refused from the start. */
  refused?: ErrorCode | undefined;
  /** What is wrong with the values of one that is refused for its own. */
  faults?: readonly ItemFault[] | undefined;
}

/** One item of a task that waits to be worked on. */
export interface WaitingItem {
  position: number;
  ref: number;
  label: string;
  /** What is wanted of this item alone; null when all get the same. */
  input: unknown;
}

/** What is wrong with a value of an item that was refused for its own, such as a row of a file. */
export interface ItemFault {
  /** Key of the phrase that names the field. */
  field: PhraseKey;
  value: string;
  code: ErrorCode;
  issue?: Pick<InputIssue, 'key' | 'values'> | undefined;
}
