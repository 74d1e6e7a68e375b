import type { ErrorCode } from '@simcube/contract';
import { type TaskType, taskTypeSchema } from '@simcube/contract/task';
import { z } from 'zod';
import type { Sql } from '../../platform/db/index.ts';
import type { RequiredPermission } from '../org/index.ts';
import type { ItemKind, WaitingItem } from './task.items.ts';

/** A permission in the task's organisation. */
export type TaskAccess = Pick<RequiredPermission, 'key' | 'action'>;

/** Who ordered the work, for the events of its changes. */
export interface TaskOrder {
  id: number;
  orgId: number;
  userId: string;
  reference: string;
  startedAt: Date;
  actor: string | null;
  traceId: string | null;
}

/** The refused items, by position, and why; all others were done. */
export type Refusals = ReadonlyMap<number, ErrorCode>;

/** How the changes of an operation are undone. */
export interface Undo {
  /** The operation that undoes it. Each item's input is its former state; the parameters are `undoParameters`. */
  by: TaskType;
  /** The permission to order it. */
  access: TaskAccess;
}

/**
 * About the task that is undone: its reference, when it was accepted, and its type; when an undo is undone, the
 * type of the original task.
 */
export const undoParameters = z.object({
  of: taskTypeSchema,
  reference: z.string(),
  acceptedAt: z.coerce.date(),
});

/**
 * A kind of work on many items, processed in chunks. What `apply` writes, the state of the chunk's items and
 * the progress are one transaction, so each item is processed exactly once, wherever the process dies.
 */
export interface Operation<S extends z.ZodType = z.ZodType> {
  type: TaskType;
  /** The kind of its items. */
  items: ItemKind;
  parameters: S;
  /** Items per transaction. */
  chunk: number;
  /** Omit it if the operation can't be undone. */
  undo?: Undo;
  apply(tx: Sql, work: OperationWork<z.output<S>>): Promise<Refusals>;
}

/** What an operation gets for a chunk. */
export interface OperationWork<P = unknown> {
  items: readonly WaitingItem[];
  parameters: P;
  order: TaskOrder;
  now: Date;
  /** Stores the former state of a changed item, as far as it is changed, for undoing it. */
  remember: (position: number, before: unknown) => void;
}

export const defineOperation = <S extends z.ZodType>(operation: Operation<S>): Operation =>
  operation as unknown as Operation;

/** What a module contributes to the background work that people order. */
export interface WorkParts {
  operations?: readonly Operation[];
  fileWorks?: readonly FileWork[];
}

/** A kind of work that makes a file, the task's report. It has no items. */
export interface FileWork<S extends z.ZodType = z.ZodType> {
  type: TaskType;
  /** Permission to fetch the file: the person who ordered it may have lost permission to see its contents. */
  access: TaskAccess;
  parameters: S;
  fileName(parameters: z.output<S>, now: Date): string;
  /**
   * Pieces of the file; `reportRows` is called with the number of rows so far. A file with more than
   * `limits.exportRows` is refused as a whole, so the work may stop one row beyond that.
   */
  produce(work: {
    parameters: z.output<S>;
    order: TaskOrder;
    now: Date;
    reportRows: (count: number) => void;
  }): AsyncIterable<Buffer>;
}

export const defineFileWork = <S extends z.ZodType>(work: FileWork<S>): FileWork =>
  work as unknown as FileWork;
