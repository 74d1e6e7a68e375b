import { type Consumer, defineConsumer } from '../../platform/outbox/index.ts';
import { cellsImported } from '../place/index.ts';
import { invalidateAllDays } from './heatmap.queries.ts';

export const heatmapConsumers = (): Consumer[] => [
  defineConsumer({
    name: 'heatmap.forget-places',
    from: 'beginning',
    events: [cellsImported],
    handle: (tx) => invalidateAllDays(tx),
  }),
];
