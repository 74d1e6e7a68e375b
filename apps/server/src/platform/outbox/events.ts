import type { LiveEvent } from '@simcube/contract';
import type { z } from 'zod';
import { int8Column, type Sql, textColumn } from '../db/index.ts';

/** A kind of fact: its topic (past tense), the schema of its payload, and the live events it causes. */
export interface EventDefinition<S extends z.ZodType = z.ZodType> {
  topic: string;
  payload: S;
  live?: (payload: z.output<S>) => LiveEvent[];
}

const definitions = new Map<string, EventDefinition>();

/** Declares a kind of fact, once per topic. */
export const defineEvent = <S extends z.ZodType>(definition: EventDefinition<S>): EventDefinition<S> => {
  if (definitions.has(definition.topic)) throw new Error(`The event ${definition.topic} is defined twice`);
  definitions.set(definition.topic, definition as unknown as EventDefinition);
  return definition;
};

/** The live events of a stored fact; none for a topic that this process does not know. */
export const liveEventsOf = (topic: string, payload: unknown): LiveEvent[] => {
  const definition = definitions.get(topic);
  if (!definition?.live) return [];
  const parsed = definition.payload.safeParse(payload);
  return parsed.success ? definition.live(parsed.data) : [];
};

export interface FactToEmit<P> {
  orgId: number | null;
  payload: P;
}

/** Records facts in the caller's transaction with one statement, and wakes the relays at its commit. */
export const emitMany = async <S extends z.ZodType>(
  tx: Sql,
  event: EventDefinition<S>,
  facts: readonly FactToEmit<z.input<S>>[],
): Promise<void> => {
  if (facts.length === 0) return;
  await tx.query({
    name: 'outbox-emit',
    text: `with written as (
             insert into outbox (topic, org_id, payload)
             select $1, org_id, payload::jsonb from unnest($2::bigint[], $3::text[]) as fact (org_id, payload))
           select pg_notify('outbox', $1::text)`,
    values: [
      event.topic,
      int8Column(facts, (fact) => fact.orgId),
      textColumn(facts, (fact) => JSON.stringify(fact.payload)),
    ],
  });
};

/** Records one fact in the caller's transaction. */
export const emit = <S extends z.ZodType>(
  tx: Sql,
  event: EventDefinition<S>,
  fact: FactToEmit<z.input<S>>,
): Promise<void> => emitMany(tx, event, [fact]);

/**
 * Records facts from a query: `rows` selects the organisation's id and the payload (jsonb). It must be the last
 * part of a `with`, including its final statement.
 */
export const emitFromSql = ({ topic }: EventDefinition, rows: string): string => `
  written as (
    insert into outbox (topic, org_id, payload)
    select '${topic}', found.* from (${rows}) as found (org_id, payload) returning topic)
  select pg_notify('outbox', topic) from written limit 1`;
