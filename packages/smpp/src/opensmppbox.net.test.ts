import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  addressOf,
  esmClass,
  joinParts,
  type MessageBody,
  messageIdCandidates,
  messageIdKey,
  RECEIPT_REQUESTED,
  readContent,
  readReceipt,
  relativeTime,
} from './index.ts';
import { type OpenClient, openClient } from './testing/open-client.ts';
import { isOpensmppboxInstalled, type Opensmppbox, startOpensmppbox } from './testing/opensmppbox.ts';
import { type Smsc, startSmsc } from './testing/smsc.ts';
import { segmentText } from './text/index.ts';

const account = { systemId: 'simcube', password: 'pass-wor' };
const phone = '34600000001';
const soon = { timeout: 30_000 };

describe.runIf(isOpensmppboxInstalled)("Kannel's opensmppbox as the SMSC", () => {
  let beyond: Smsc;
  let box: Opensmppbox;
  let opened: OpenClient | undefined;
  const received: MessageBody[] = [];
  /** The network's result for each message. */
  let verdict = 'DELIVRD';

  beforeAll(async () => {
    beyond = await startSmsc({
      onSubmit: (submit, session, count) => {
        session.send(submit.response({ message_id: `N${count}` }));
        session.deliver_sm({
          source_addr: submit['destination_addr'],
          destination_addr: submit['source_addr'],
          esm_class: esmClass.deliveryReceipt,
          short_message: `id:N${count} sub:001 dlvrd:001 submit date:2611230010 done date:2611230010 stat:${verdict} err:027 text:`,
        });
      },
    });
    box = await startOpensmppbox({ smscPort: beyond.port, account });
  });
  afterEach(async () => {
    await opened?.client.close();
    opened = undefined;
  });
  afterAll(async () => {
    await box.stop();
    await beyond.close();
  });

  const bind = async (): Promise<OpenClient> => {
    received.length = 0;
    opened = openClient(box.port, {
      enquireLinkMs: 100,
      onMessage: async (message) => {
        received.push(message as MessageBody);
      },
    });
    await opened.waitForState('bound');
    return opened;
  };
  /** @returns the SMSC's message ids of the parts */
  const send = async ({ client }: OpenClient, text: string): Promise<string[]> => {
    const { segments, dataCoding, hasHeader } = segmentText(text, 0xa7);
    const outcomes = await Promise.all(
      segments.map(({ octets }) =>
        client.submit({
          source: addressOf('1234'),
          destination: addressOf(phone),
          shortMessage: octets,
          dataCoding,
          esmClass: hasHeader ? esmClass.userDataHeader : 0,
          registeredDelivery: RECEIPT_REQUESTED,
          validityPeriod: relativeTime(86_400),
        }),
      ),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(segments.map(() => 'sent'));
    return outcomes.flatMap((one) => (one.outcome === 'sent' ? one.messageId : []));
  };
  /** Received receipts by the submits that they belong to. */
  const statesOf = (ids: readonly string[]) =>
    ids.map((id) =>
      received
        .map(readReceipt)
        .filter((receipt) => receipt?.messageIds.flatMap(messageIdCandidates).includes(messageIdKey(id)))
        .map((receipt) => receipt?.state),
    );

  it('rejects a bind with a wrong password', async () => {
    const { client, waitForState } = openClient(box.port, { password: 'wrong' });
    await waitForState('waiting');
    expect(client.stats().lastClosure).toEqual({ reason: 'bind-refused', detail: 'ESME_RBINDFAIL' });
    await client.close();
  });

  it('responds to enquire_link', async () => {
    const { client } = await bind();
    await expect.poll(() => box.log(), soon).toContain('type_name: enquire_link_resp');
    expect(client.stats()).toMatchObject({ state: 'bound', counts: { disconnects: 0, ignored: 0 } });
  });

  it.each([
    ['GSM 7-bit', '[€] ñandù @'],
    ['UCS-2', '中文 😀'],
    ['GSM 7-bit in parts', `[€] ñandù @ ${'0123456789'.repeat(20)}`],
    ['UCS-2 in parts', `中文 😀 — ${'один два '.repeat(9)}`],
  ])('forwards a text in %s, with a receipt for each part', async (_, text) => {
    verdict = 'DELIVRD';
    const client = await bind();
    const before = beyond.submits.length;
    const ids = await send(client, text);
    await expect.poll(() => received.length, soon).toBe(ids.length);
    const texts = beyond.submits
      .slice(before)
      .map((submit) => (submit['short_message'] as { message: string }).message);
    expect(texts.join('')).toBe(text);
    expect(statesOf(ids)).toEqual(ids.map(() => ['delivered']));
    // It names sender and phone as the message did, not the other way round as SMPP 3.4 has it (§2.11): ids alone match.
    expect(received.map(readReceipt).map((receipt) => receipt?.address)).toEqual(ids.map(() => '1234'));
  });

  it('reports undelivered messages', async () => {
    verdict = 'UNDELIV';
    const ids = await send(await bind(), 'STATUS');
    await expect.poll(() => statesOf(ids), soon).toEqual([['undeliverable']]);
    expect(readReceipt(received[0] as MessageBody)).toMatchObject({ error: '027' });
  });

  it.each([
    ['of one part', 'ALARM [€]'],
    ['in parts', `Привет ${'один два '.repeat(9)}`],
  ])('delivers a message from a device %s', async (_, text) => {
    await bind();
    const { segments, dataCoding, hasHeader } = segmentText(text, 0x5c);
    for (const { octets } of segments) {
      beyond.sessions.at(-1)?.deliver_sm({
        source_addr: phone,
        destination_addr: '1234',
        esm_class: hasHeader ? esmClass.userDataHeader : 0,
        data_coding: dataCoding,
        short_message: Buffer.from(octets),
      });
    }
    await expect.poll(() => received.length, soon).toBe(segments.length);
    const parts = received.map((message) => {
      const content = readContent(message);
      return { ...content, sequence: content.part?.sequence ?? 1 };
    });
    expect(joinParts({ parts, total: segments.length, gap: '?' })).toMatchObject({ text, missing: [] });
    expect(received[0]).toMatchObject({ source: { address: phone }, destination: { address: '1234' } });
    expect(received.map(readReceipt)).toEqual(segments.map(() => undefined));
  });

  it('is reconnected after a crash; unanswered submits are unknown', async () => {
    const open = await bind();
    const submit = () =>
      open.client.submit({
        source: addressOf('1234'),
        destination: addressOf(phone),
        dataCoding: 0,
        shortMessage: Buffer.from('STATUS'),
      });
    box.stall();
    const interrupted = submit();
    await expect.poll(() => open.client.stats().inFlight).toBe(1);
    await box.kill();
    expect(await interrupted).toEqual({ outcome: 'unknown', reason: 'disconnected' });
    expect(await submit()).toEqual({ outcome: 'not-sent', reason: 'not-bound' });
    await box.restart();
    await open.waitForState('bound');
    expect(await submit()).toMatchObject({ outcome: 'sent' });
    expect(open.client.stats().counts).toMatchObject({ binds: 2, disconnects: 1 });
  });
});
