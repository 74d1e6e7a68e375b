export {
  defineEvent,
  type EventDefinition,
  emit,
  emitMany,
  type FactToEmit,
  liveEventsOf,
} from './events.ts';
export { type Consumer, consumeOnce, defineConsumer, type Fact, startRelay, trimOutbox } from './relay.ts';
