import { describe, expect, it } from 'vitest';
import { liveEventsOf } from '../../platform/outbox/index.ts';
import { changesPerFact, sessionChanged } from './aaa.events.ts';

describe('changed sessions', () => {
  const at = '2026-11-21T12:00:00.000Z';

  it('are sent to live streams one by one, each with its connection and its events', () => {
    const changes = [
      { iccids: ['1', '2'], status: 'online', kinds: ['session-started'] },
      { iccids: ['3'], status: 'offline', kinds: [] },
    ];
    expect(liveEventsOf(sessionChanged.topic, { at, changes })).toEqual([
      { name: 'sim.connection', data: { iccid: '1', status: 'online' } },
      { name: 'sim.event', data: { iccid: '1', kind: 'session-started', at } },
      { name: 'sim.connection', data: { iccid: '2', status: 'online' } },
      { name: 'sim.event', data: { iccid: '2', kind: 'session-started', at } },
      { name: 'sim.connection', data: { iccid: '3', status: 'offline' } },
    ]);
  });

  it('are split into events of limited size', () => {
    const iccids = Array.from({ length: changesPerFact + 1 }, (_, n) => String(n));
    expect(
      liveEventsOf(sessionChanged.topic, { at, changes: [{ iccids, status: 'online', kinds: [] }] }),
    ).toEqual([]);
  });
});
