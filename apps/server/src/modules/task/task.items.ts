import type { ErrorCode, InputIssue } from '@simcube/contract';
import type { PhraseKey } from '@simcube/phrases';
import type { Sql } from '../../platform/db/index.ts';
import type { Cell } from '../../platform/files/index.ts';

/** A column of a report, and how its value is derived from an item. */
export interface ItemColumn {
  heading: PhraseKey;
  value(item: { label: string; input: unknown }): Cell;
}

/** The kind of a task's items: declared by the module that owns the things, and named by its operations. */
export interface ItemKind {
  /** Stored with each item and part of the API, so it never changes: one word, in lower case. */
  name: string;
  /** Report columns that identify the item; its outcome follows. */
  columns: readonly ItemColumn[];
  /** Why a thing pending in another task is refused. */
  busy: ErrorCode;
  /**
   * The things that belong to the organisation now: they may have been transferred since they were ordered.
   * Omit it if things of this kind are never transferred.
   */
  findOwn?(sql: Sql, query: { orgId: number; refs: readonly number[] }): Promise<ReadonlySet<number>>;
}

/** The column that all kinds have: the item's name for people. */
export const labelColumn = (heading: PhraseKey): ItemColumn => ({ heading, value: ({ label }) => label });

/** An item of a new task. */
export interface NewItem {
  /**
   * The thing's number within its kind; null if the thing does not exist, in which case the item is refused
   * from the start.
   */
  ref: number | null;
  /** Its name for people: a number or a name. */
  label: string;
  /** Input for this item alone. */
  input?: unknown;
  /** Why it is refused from the start. */
  refused?: ErrorCode | undefined;
  /** The faulty values of an item that is refused because of them. */
  faults?: readonly ItemFault[] | undefined;
}

/** A pending item of a task. */
export interface WaitingItem {
  position: number;
  ref: number;
  label: string;
  /** Input for this item alone; null if all are treated alike. */
  input: unknown;
}

/** A faulty value of a refused item, such as a cell of a file's row. */
export interface ItemFault {
  /** Key of the phrase that names the field. */
  field: PhraseKey;
  value: string;
  code: ErrorCode;
  issue?: Pick<InputIssue, 'key' | 'values'> | undefined;
}
