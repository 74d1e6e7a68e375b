import type { ErrorCode } from '@simcube/contract';
import { type TaskType, taskTypeSchema } from '@simcube/contract/task';
import { z } from 'zod';
import type { Sql } from '../../platform/db/index.ts';
import type { Right } from '../org/index.ts';
import type { ItemKind, WaitingItem } from './task.items.ts';

/** Who ordered the work, for the events of what it changes. */
export interface TaskOrder {
  id: number;
  orgId: number;
  userId: string;
  reference: string;
  actor: string | null;
  traceId: string | null;
}

/** The items that were refused, by position, and why; all others were done. */
export type Refusals = ReadonlyMap<number, ErrorCode>;

/** How what an operation changed is undone. */
export interface Undo {
  /** The operation that does it. Each item's input is what the item was before; the parameters are `undoParameters`. */
  by: TaskType;
  /** Who may order it. */
  access: Pick<Right, 'key' | 'action'>;
  /** Why an item that waits in another task is refused. */
  busy: ErrorCode;
}

/**
 * Of the task that is undone: its reference, when it was accepted, and its type, or that of the first one where undoing
 * is undone.
 */
export const undoParameters = z.object({
  of: taskTypeSchema,
  reference: z.string(),
  acceptedAt: z.coerce.date(),
});

/**
 * A kind of work on many items. It goes chunk by chunk; what `apply` writes, the state of the chunk's items and the
 * progress are one transaction, so an item is worked on once, wherever the process dies.
 */
export interface Operation<S extends z.ZodType = z.ZodType> {
  type: TaskType;
  /** What it works on. */
  items: ItemKind;
  parameters: S;
  /** Items of one transaction. */
  chunk: number;
  /** Without it, nothing of it can be undone. */
  undo?: Undo;
  apply(tx: Sql, work: OperationWork<z.output<S>>): Promise<Refusals>;
}

/** What an operation is handed of a chunk. */
export interface OperationWork<P = unknown> {
  items: readonly WaitingItem[];
  parameters: P;
  order: TaskOrder;
  now: Date;
  /** Of each item that is changed, as far as it is changed: what it was before. Stored with the item, for undoing it. */
  remember: (position: number, before: unknown) => void;
}

export const defineOperation = <S extends z.ZodType>(operation: Operation<S>): Operation =>
  operation as unknown as Operation;

/** What a module adds to the background work that people order. */
export interface WorkParts {
  operations?: readonly Operation[];
  fileWorks?: readonly FileWork[];
}

/** A kind of work that makes a file: the task's report. It has no items. */
export interface FileWork<S extends z.ZodType = z.ZodType> {
  type: TaskType;
  /** Who may fetch the file: who ordered it may have lost the right to what is in it. */
  access: Pick<Right, 'key' | 'action'>;
  parameters: S;
  fileName(parameters: z.output<S>, now: Date): string;
  /**
   * Pieces of the file; `rows` is called with how many rows are in it so far. More than `limits.exportRows` are refused whole:
   * one more than that may end it.
   */
  produce(work: {
    parameters: z.output<S>;
    order: TaskOrder;
    now: Date;
    rows: (count: number) => void;
  }): AsyncIterable<Buffer>;
}

export const defineFileWork = <S extends z.ZodType>(work: FileWork<S>): FileWork =>
  work as unknown as FileWork;
