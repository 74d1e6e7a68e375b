import { expect, it } from 'vitest';
import { liveEventsOf } from '../../platform/outbox/index.ts';
import { poolServiceChanged } from './pool.events.ts';

it('members that a pool stops or releases are also reported to screens without the permission for pools', () => {
  const fact = { poolId: 7, isStopped: false, simIds: [1, 2] };
  expect(liveEventsOf(poolServiceChanged.topic, fact)).toEqual([
    { name: 'pool.changed', data: { pools: ['7'] } },
    { name: 'sim.changed', data: { count: 2 } },
  ]);
});
