import type pg from 'pg';
import type { z } from 'zod';
import type { EventDefinition } from './events.ts';

export interface Fact<P = unknown> {
  topic: string;
  orgId: number | null;
  payload: P;
  createdAt: Date;
}

/** A stored fact. */
export interface OutboxRow {
  xact: string;
  id: number;
  topic: string;
  org_id: number | null;
  payload: unknown;
  created_at: Date;
}

/**
 * Handles facts in order, each exactly once as far as its effects are in `tx`. It must be fast (an open
 * transaction delays every reader of the outbox): external effects are enqueued as jobs in the same
 * transaction.
 */
export interface Consumer {
  name: string;
  topics: ReadonlySet<string>;
  /**
   * Where a new consumer begins. By default at the end, with what is recorded from then on. `beginning`: with
   * everything that the outbox still has, for effects that must include facts recorded before the first worker
   * ran.
   */
  from: 'beginning' | undefined;
  handle: (tx: pg.PoolClient, fact: Fact) => Promise<void>;
  /**
   * Handles several facts together, if that is much faster; when it fails, they are handled one by one.
   * @returns how many it handled: at least one, and few enough to keep the transaction short
   */
  handleAll?: (tx: pg.PoolClient, facts: readonly Fact[]) => Promise<number>;
}

export const defineConsumer = <const E extends readonly EventDefinition[]>(definition: {
  name: string;
  events: E;
  from?: 'beginning';
  handle: (tx: pg.PoolClient, fact: Fact<z.output<E[number]['payload']>>) => Promise<void>;
}): Consumer => {
  const schemas = new Map(definition.events.map((event) => [event.topic, event.payload]));
  return {
    name: definition.name,
    topics: new Set(schemas.keys()),
    from: definition.from,
    handle: async (tx, fact) => {
      const payload = schemas.get(fact.topic)?.parse(fact.payload) as z.output<E[number]['payload']>;
      await definition.handle(tx, { ...fact, payload });
    },
  };
};

/** A consumer that handles facts in batches; a single fact is a batch of one. */
export const defineBatchConsumer = (definition: {
  name: string;
  events: readonly EventDefinition[];
  from?: 'beginning';
  handleAll: (tx: pg.PoolClient, facts: readonly Fact[]) => Promise<number>;
}): Consumer => {
  const { name, events, from, handleAll } = definition;
  const schemas = new Map(events.map((event) => [event.topic, event.payload]));
  // Parsed on demand: of most facts a consumer needs only the organisation.
  const parsed = (fact: Fact): Fact => ({
    ...fact,
    get payload() {
      return schemas.get(fact.topic)?.parse(fact.payload);
    },
  });
  return {
    name,
    topics: new Set(schemas.keys()),
    from,
    handle: async (tx, fact) => void (await handleAll(tx, [parsed(fact)])),
    handleAll: (tx, facts) => handleAll(tx, facts.map(parsed)),
  };
};
