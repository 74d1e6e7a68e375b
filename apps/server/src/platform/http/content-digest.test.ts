import { PassThrough } from 'node:stream';
import { setImmediate as turnOfEvents } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyDigest } from './content-digest.ts';

describe('an unread body with a digest', () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  beforeAll(() => void process.on('uncaughtExceptionMonitor', note));
  afterAll(() => void process.off('uncaughtExceptionMonitor', note));

  it.each([
    ['breaks off', (sent: PassThrough) => sent.destroy(new Error('aborted'))],
    ['has another digest', (sent: PassThrough) => sent.end('another')],
  ])('fails without an uncaught exception when it %s', async (_, send) => {
    const sent = new PassThrough();
    const body = verifyDigest(sent, Buffer.alloc(32));
    send(sent);
    await turnOfEvents();
    expect([body.errored === null, uncaught]).toEqual([false, []]);
  });
});
