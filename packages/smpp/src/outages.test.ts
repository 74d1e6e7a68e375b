import type { PDU, Session } from 'smpp';
import { expect, it } from 'vitest';
import { type SubmitOutcome, statusCode } from './index.ts';
import { type OpenClient, openClient } from './testing/open-client.ts';
import { sampleSubmit } from './testing/sample-messages.ts';
import { type Smsc, startSmsc } from './testing/smsc.ts';

const messages = Array.from({ length: 1_200 }, (_, index) => `message ${index}`);

/** Sends again only what was certainly not accepted. */
async function sendOnce({ client, waitForState }: OpenClient, text: string): Promise<SubmitOutcome> {
  for (;;) {
    const outcome = await client.submit(sampleSubmit(text));
    if (outcome.outcome !== 'not-sent') return outcome;
    await waitForState('bound');
  }
}

it('no message is lost or duplicated while the SMSC throttles, refuses, times out and disconnects', async () => {
  const taken = new Map<string, number>();
  let smsc: Smsc;
  const onSubmit = (submit: PDU, session: Session, count: number): void => {
    const { message: text } = submit['short_message'] as { message: string };
    const take = (): number => taken.set(text, (taken.get(text) ?? 0) + 1).size;
    const fail = (status: number): boolean => session.send(submit.response({ command_status: status }));
    if (count === 1_061 || count === 1_062) fail(statusCode.ESME_RTHROTTLED);
    else if (count % 50 === 0) fail(statusCode.ESME_RINVDSTADR);
    else if (count % 70 === 0) take();
    else if (count % 90 === 0) return;
    else if (count % 200 === 1) smsc.drop();
    else if (count % 200 === 101) {
      take();
      smsc.drop();
    } else session.send(submit.response({ message_id: String(take()) }));
  };
  smsc = await startSmsc({ onSubmit });
  const opened = openClient(smsc.port, {
    window: 10,
    responseTimeoutMs: 200,
    reconnectMs: 5,
    maxReconnectMs: 20,
  });
  await opened.waitForState('bound');
  const outcomes = await Promise.all(messages.map((text) => sendOnce(opened, text)));
  const { counts } = opened.client.stats();
  await opened.client.close();
  await smsc.close();

  const of = (kind: SubmitOutcome['outcome']) =>
    messages.flatMap((text, index) => (outcomes[index]?.outcome === kind ? (taken.get(text) ?? 0) : []));
  expect(new Set(of('sent'))).toEqual(new Set([1]));
  expect(new Set(of('refused'))).toEqual(new Set([0]));
  expect(new Set(of('unknown'))).toEqual(new Set([0, 1]));
  expect(of('sent').length + of('refused').length + of('unknown').length).toBe(messages.length);
  expect(counts.disconnects).toBeGreaterThan(5);
  expect(counts).toMatchObject({
    throttled: 2,
    sent: of('sent').length,
    refused: of('refused').length,
    unknown: of('unknown').length,
    written: messages.length + 2,
  });
});
