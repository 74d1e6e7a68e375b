import type { ErrorCode, InputIssue } from '@simcube/contract';
import type { TaskType } from '@simcube/contract/task';
import type { PhraseKey } from '@simcube/phrases';
import type { z } from 'zod';
import type { Sql } from '../../platform/db/index.ts';

/** One SIM of a task that waits to be worked on. */
export interface WaitingItem {
  position: number;
  simId: number;
  iccid: string;
  /** What is wanted of this SIM alone; null when all get the same. */
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

/** Who ordered the work, for the SIMs' events. */
export interface TaskOrder {
  id: number;
  orgId: number;
  userId: string;
  reference: string;
  actor: string | null;
  traceId: string | null;
}

/** The SIMs that were refused, by position, and why; all others were done. */
export type Refusals = ReadonlyMap<number, ErrorCode>;

/**
 * A kind of work on many SIMs. It goes chunk by chunk; what `apply` writes, the state of the chunk's items and the
 * progress are one transaction, so a SIM is worked on once, wherever the process dies.
 */
export interface Operation<S extends z.ZodType = z.ZodType> {
  type: TaskType;
  parameters: S;
  /** SIMs of one transaction. */
  chunk: number;
  apply(
    tx: Sql,
    work: { items: readonly WaitingItem[]; parameters: z.output<S>; order: TaskOrder; now: Date },
  ): Promise<Refusals>;
}

export const defineOperation = <S extends z.ZodType>(operation: Operation<S>): Operation =>
  operation as unknown as Operation;

/** A kind of work that makes a file: the task's report. */
export interface FileWork<S extends z.ZodType = z.ZodType> {
  type: TaskType;
  parameters: S;
  fileName(parameters: z.output<S>, now: Date): string;
  /** Pieces of the file; `rows` is called with how many rows are in it so far. */
  produce(work: {
    parameters: z.output<S>;
    order: TaskOrder;
    now: Date;
    rows: (count: number) => void;
  }): AsyncIterable<Buffer>;
}

export const defineFileWork = <S extends z.ZodType>(work: FileWork<S>): FileWork =>
  work as unknown as FileWork;
