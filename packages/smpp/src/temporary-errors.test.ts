import type { PDU } from 'smpp';
import { afterEach, describe, expect, it } from 'vitest';
import { type StatusName, type SubmitOutcome, statusCode } from './index.ts';
import { type OpenClient, openClient } from './testing/open-client.ts';
import { sampleSubmit } from './testing/sample-messages.ts';
import { type Smsc, startSmsc } from './testing/smsc.ts';

let smsc: Smsc;
let opened: OpenClient;
/** Texts that the SMSC accepted. */
let accepted: string[] = [];

afterEach(async () => {
  await opened.client.close(0);
  await smsc.close();
});

/** @param statusFor the status of a submit, by its text and number */
async function open(statusFor: (text: string, count: number) => StatusName): Promise<void> {
  accepted = [];
  smsc = await startSmsc({
    onSubmit: (submit: PDU, to, count) => {
      const { message: text } = submit['short_message'] as { message: string };
      const status = statusFor(text, count);
      if (status === 'ESME_ROK') accepted.push(text);
      to.send(submit.response({ command_status: statusCode[status], message_id: text }));
    },
  });
  opened = openClient(smsc.port, { window: 10, random: () => 0 });
  await opened.waitForState('bound');
}

const submitAll = (texts: readonly string[]): Promise<SubmitOutcome[]> =>
  Promise.all(texts.map((text) => opened.client.submit(sampleSubmit(text))));
const named = (count: number): string[] => Array.from({ length: count }, (_, index) => `message ${index}`);
const sent = (texts: readonly string[]): SubmitOutcome[] =>
  texts.map((messageId) => ({ outcome: 'sent', messageId }));

describe.each(['ESME_RSYSERR', 'ESME_RX_T_APPN'] as const)('%s', (status) => {
  it('for a while loses nothing, and pauses the connection', async () => {
    await open((_, count) => (count <= 8 ? status : 'ESME_ROK'));
    const texts = named(8);
    const outcomes = submitAll(texts);
    await expect.poll(() => opened.client.stats().isFailing).toBe(true);
    expect(await outcomes).toEqual(sent(texts));
    expect(accepted.toSorted()).toEqual(texts);
    expect(opened.client.stats()).toMatchObject({
      isFailing: false,
      counts: { temporary: 8, written: 16, sent: 8, refused: 0, disconnects: 0 },
    });
  });

  it('for one message delays that message alone', async () => {
    let refusals = 2;
    await open((text) => {
      if (text !== 'message 0') return 'ESME_ROK';
      refusals -= 1;
      return refusals >= 0 ? status : 'ESME_ROK';
    });
    const [first, ...others] = named(40);
    const delayed = opened.client.submit(sampleSubmit(first));
    expect(await submitAll(others)).toEqual(sent(others));
    expect(opened.client.stats()).toMatchObject({ rate: undefined, waiting: 1, isFailing: false });
    expect(await delayed).toEqual({ outcome: 'sent', messageId: first });
    expect(accepted.at(-1)).toBe(first);
  });
});

describe('ESME_RINVBNDSTS', () => {
  it('ends the session after the window was answered, and the client binds again', async () => {
    await open((_, count) => (count > 2 && count <= 6 ? 'ESME_RINVBNDSTS' : 'ESME_ROK'));
    const texts = named(14);
    const outcomes = await submitAll(texts);
    const notSent = { outcome: 'not-sent', reason: 'disconnected' };
    const refused = { outcome: 'refused', status: { name: 'ESME_RINVBNDSTS' } };
    expect(outcomes).toMatchObject(
      texts.map((text, index) => {
        if (accepted.includes(text)) return { outcome: 'sent', messageId: text };
        return index < smsc.submits.length ? refused : notSent;
      }),
    );
    expect(accepted).toHaveLength(smsc.submits.length - 4);
    // Nothing more was written.
    expect(smsc.submits.length).toBeLessThan(texts.length);
    expect(await opened.client.submit(sampleSubmit())).toEqual({ outcome: 'not-sent', reason: 'not-bound' });
    await opened.waitForState('bound');
    const closure = { reason: 'bind-lost', detail: 'ESME_RINVBNDSTS' };
    expect(opened.states.filter(([state]) => state === 'waiting')).toEqual([['waiting', closure]]);
    expect(opened.client.stats()).toMatchObject({
      lastClosure: closure,
      counts: { binds: 2, disconnects: 1 },
    });
    const again = texts.filter((text) => !accepted.includes(text));
    expect(await submitAll(again)).toEqual(sent(again));
    expect(accepted).toHaveLength(texts.length);
    expect(new Set(accepted)).toEqual(new Set(texts));
  });
});
