import { afterEach, describe, expect, it } from 'vitest';
import { encodePdu, type SmppClient, type SmppClientOptions } from './index.ts';
import { openClient } from './testing/open-client.ts';
import { type RawSmsc, startRawSmsc } from './testing/raw-smsc.ts';
import { sampleSubmit } from './testing/sample-messages.ts';

let smsc: RawSmsc;
let client: SmppClient;
/** Submits that are not answered yet. */
let unanswered: number[];
/** Number of submits in each read. */
let chunks: number[];

afterEach(async () => {
  await client.close(0);
  await smsc.close();
});

/** An SMSC that responds on request of the test. */
async function open(options: Partial<SmppClientOptions>): Promise<void> {
  [unanswered, chunks] = [[], []];
  let inChunk = 0;
  smsc = await startRawSmsc(({ sequence }) => {
    unanswered.push(sequence);
    inChunk += 1;
    if (inChunk > 1) return;
    queueMicrotask(() => {
      chunks.push(inChunk);
      inChunk = 0;
    });
  });
  const opened = openClient(smsc.port, options);
  client = opened.client;
  await opened.waitForState('bound');
}

const submitAll = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => client.submit(sampleSubmit(`message ${index}`))));

/** Responds to the first ones, in one write. */
const respond = (count: number): void => {
  const responses = unanswered.splice(0, count).map((sequence) =>
    encodePdu({
      command: 'submit_sm_resp',
      status: 0,
      sequence,
      body: { messageId: String(sequence), tlvs: [] },
    }),
  );
  smsc.socket().write(Buffer.concat(responses));
};

const isSent = ({ outcome }: { outcome: string }): boolean => outcome === 'sent';

describe('a full window', () => {
  it.each([1, 2, 3, 10])('of %i never stalls while responses come one by one', async (window) => {
    await open({ window });
    const messages = 3 * window + 5;
    const outcomes = submitAll(messages);
    for (let answered = 0; answered < messages; answered += 1) {
      await expect.poll(() => unanswered.length).toBe(Math.min(window, messages - answered));
      respond(1);
    }
    expect((await outcomes).every(isSent)).toBe(true);
  });

  it('is refilled immediately when half is free, otherwise after a moment', async () => {
    await open({ window: 10 });
    const outcomes = submitAll(30);
    for (const free of [5, 3, 10]) {
      await expect.poll(() => unanswered.length).toBe(10);
      respond(free);
    }
    await expect.poll(() => unanswered.length).toBe(10);
    expect(chunks).toEqual([10, 5, 3, 10]);
    respond(10);
    await expect.poll(() => unanswered.length).toBe(2);
    respond(2);
    expect((await outcomes).every(isSent)).toBe(true);
  });

  it('sends immediately if all queued submits fit', async () => {
    await open({ window: 10 });
    const outcomes = submitAll(12);
    await expect.poll(() => unanswered.length).toBe(10);
    respond(2);
    await expect.poll(() => unanswered.length).toBe(10);
    const more = client.submit(sampleSubmit('one more'));
    respond(1);
    await expect.poll(() => unanswered.length).toBe(10);
    respond(10);
    expect((await Promise.all([...(await outcomes), more])).every(isSent)).toBe(true);
  });

  it('is limited to a rate of one per second', async () => {
    await open({ window: 2, rate: 1 });
    const startedAt = performance.now();
    const outcomes = submitAll(3);
    for (let sent = 1; sent <= 3; sent += 1) {
      await expect.poll(() => unanswered.length, { timeout: 30_000 }).toBe(1);
      respond(1);
    }
    expect((await outcomes).every(isSent)).toBe(true);
    expect(performance.now() - startedAt).toBeGreaterThan(1_900);
  });
});
