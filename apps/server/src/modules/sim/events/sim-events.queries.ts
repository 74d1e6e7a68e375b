import type { SimEventFacts, SimEventKind } from '@simcube/contract/sim';
import { int8Column, rowsOf, type Sql, textColumn, timestampColumn } from '../../../platform/db/index.ts';

/** What happened: a declared kind with its facts. */
export type SimEventContent = {
  [K in SimEventKind]: { kind: K; facts: SimEventFacts<K> };
}[SimEventKind];

export type NewSimEvent = SimEventContent & {
  simId: number;
  /** The SIM's organisation at that time: only this one sees the event. */
  orgId: number;
  /** A number is in milliseconds. */
  at: Date | number;
};

/** Who did it; absent for changes by the system. */
export interface EventCause {
  actor?: string | null | undefined;
  taskId?: string | null | undefined;
  traceId?: string | null | undefined;
}

/** Creates a kind with its facts, typed by the contract's `simEvents`. */
export const simEvent = <K extends SimEventKind>(kind: K, facts: SimEventFacts<K>): SimEventContent =>
  ({ kind, facts }) as SimEventContent;

const insertEvents = `
  insert into sim_events (sim_id, at, org_id, kind, facts, actor, task_id, trace_id)
  select v.sim_id, v.at, v.org_id, v.kind, v.facts::jsonb, $6::text, $7::text, $8::text
  from ${rowsOf({ sim_id: 'bigint', at: 'timestamptz', org_id: 'bigint', kind: 'text', facts: 'text' })} as v`;

/**
 * Records events of SIMs in the caller's transaction: the only writer of `sim_events`. Intake sends it among
 * the other statements of a batch without awaiting it, so a value that can't be encoded is thrown
 * synchronously, not as a rejection.
 */
export const recordSimEvents = (
  sql: Sql,
  events: readonly NewSimEvent[],
  { actor = null, taskId = null, traceId = null }: EventCause = {},
): Promise<unknown> => {
  if (events.length === 0) return Promise.resolve();
  return sql.query({
    name: 'sim-record-events',
    text: insertEvents,
    values: [
      int8Column(events, ({ simId }) => simId),
      timestampColumn(events, ({ at }) => at.valueOf()),
      int8Column(events, ({ orgId }) => orgId),
      textColumn(events, ({ kind }) => kind),
      textColumn(events, ({ facts }) => JSON.stringify(facts)),
      actor,
      taskId,
      traceId,
    ],
  });
};
