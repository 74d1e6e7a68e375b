export { consumeOnce } from './consume.ts';
export { type Consumer, defineBatchConsumer, defineConsumer, type Fact } from './consumers.ts';
export { type ConsumerStatus, readConsumerStatus, registerConsumers, trimOutbox } from './cursors.ts';
export {
  type DeadLetteredFact,
  dropDeadLetteredFacts,
  findDeadLetteredFact,
  listDeadFactIds,
  listDeadLetteredFacts,
  readDeadFactRange,
  retryDeadLetteredFact,
} from './dead-letters.ts';
export {
  defineEvent,
  type EventDefinition,
  emit,
  emitFromSql,
  emitMany,
  type FactToEmit,
  liveEventsOf,
} from './events.ts';
export { factsByOrganisation } from './facts-by-organisation.ts';
export { startRelay } from './relay.ts';
