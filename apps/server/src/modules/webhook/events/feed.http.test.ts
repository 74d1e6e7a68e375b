import { endpoints } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import { describe, expect, it } from 'vitest';
import type { TestClient } from '../../../testing/app.ts';
import { emitFact, makeDeveloper, readFeed, useWebhookWorld, world } from '../../../testing/webhook-world.ts';

const { feed } = endpoints.webhook;

useWebhookWorld();

let longAgo = Date.parse('2026-09-01T12:00:00Z');
/** Another day each time, because the process remembers for which days it has made partitions. */
const goBack = (): void => {
  longAgo += dayMs;
  world.test.clock.set(new Date(longAgo));
};
/** Longer after these days than events are stored. */
const returnToday = async (): Promise<void> => {
  world.test.clock.set('2026-11-21T12:00:00Z');
  const keep = world.test.wiring.jobs.find(({ job }) => job.name === 'webhook.keep-events');
  await keep?.handle({}, { signal: AbortSignal.timeout(10_000) } as never);
};
const codeAfter = async (client: TestClient, cursor: string) =>
  (await client.call(feed, { query: { cursor } })).body.status.code;

describe('a reader of the feed that was away longer than events are stored', () => {
  it('is refused, because it would miss deleted events, whether newer ones are stored or not', async () => {
    const client = await makeDeveloper();
    goBack();
    await emitFact('sms.mo');
    const { next_cursor: cursor } = await readFeed(client);
    await emitFact('sms.mo');
    expect((await readFeed(client, cursor)).events).toHaveLength(1);
    await returnToday();
    expect(await codeAfter(client, cursor)).toBe('CB-08-0035');
    await emitFact('sms.mo');
    const gone = await client.call(feed, { query: { cursor } });
    expect([gone.http, gone.body.status.code]).toEqual([410, 'CB-08-0035']);
    expect((await readFeed(client)).events).toHaveLength(1);
  });

  it('goes on if nothing was recorded meanwhile', async () => {
    const client = await makeDeveloper();
    goBack();
    await emitFact('sms.mo');
    const { next_cursor: cursor } = await readFeed(client);
    await returnToday();
    expect((await readFeed(client, cursor)).events).toEqual([]);
    const { next_cursor: first } = await readFeed(client);
    await emitFact('sms.mo');
    for (const one of [cursor, first]) expect((await readFeed(client, one)).events).toHaveLength(1);
  });
});

describe('a reader of the feed that starts now', () => {
  it('receives only what is recorded from then on', async () => {
    const client = await makeDeveloper();
    const start = async () => (await client.call(feed, { query: { start: 'now' } })).body.data;
    const before = await start();
    await emitFact('sms.mo');
    const { events, next_cursor: cursor, has_more } = await start();
    expect([events, has_more]).toEqual([[], false]);
    await emitFact('sms.mo');
    const [first, ...others] = (await client.call(feed, { query: { start: 'now', cursor } })).body.data
      .events;
    expect([first?.type, others]).toEqual(['sms.mo', []]);
    expect((await readFeed(client, before.next_cursor)).events).toHaveLength(2);
    expect((await readFeed(client)).events).toHaveLength(2);
  });
});
