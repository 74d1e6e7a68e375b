import {
  addressOf,
  decodeText,
  type MessageBody,
  RECEIPT_REQUESTED,
  readContent,
  readReceipt,
  SmppClient,
} from '@simcube/smpp';
import { segmentText } from '@simcube/smpp/text';
import { afterEach, expect, it } from 'vitest';
import type { Handling } from './sms-device.ts';
import { type Smsc, startSmsc } from './smsc.ts';

let smsc: Smsc;
let client: SmppClient;
const received: MessageBody[] = [];
const handledTexts: string[] = [];
/** Whether received messages are stored. */
let canStore = true;

afterEach(async () => {
  await client.close(0);
  await smsc.stop();
});

const open = async (handling: Partial<Handling> = {}, password = 'secret'): Promise<void> => {
  received.length = 0;
  handledTexts.length = 0;
  canStore = true;
  smsc = await startSmsc({
    host: '127.0.0.1',
    port: 0,
    systemId: 'simcube',
    password: 'secret',
    handle: (to, text) => {
      handledTexts.push(text);
      return to === '34600000001'
        ? { verdict: 'DELIVRD', error: '000', afterMs: 0, reply: undefined, ...handling }
        : undefined;
    },
  });
  client = new SmppClient({
    host: '127.0.0.1',
    port: smsc.port,
    bind: 'transceiver',
    systemId: 'simcube',
    password,
    onMessage: async (message) => {
      if (!canStore) throw new Error('nothing can be stored');
      received.push(message as MessageBody);
    },
  });
  await expect.poll(() => client.stats().state).not.toBe('connecting');
};

const submit = (text: string, to = '34600000001') =>
  Promise.all(
    segmentText(text, 9).segments.map(({ octets }, _, { length }) =>
      client.submit({
        source: addressOf('2800'),
        destination: addressOf(to),
        dataCoding: 0,
        shortMessage: octets,
        esmClass: length > 1 ? 0x40 : 0,
        registeredDelivery: RECEIPT_REQUESTED,
      }),
    ),
  );
const textOf = (message: MessageBody | undefined) =>
  message && decodeText(readContent(message).octets, 'latin1');

it('accepts a message, sends its receipt, and returns the device’s reply to the sender', async () => {
  await open({ verdict: 'UNDELIV', error: '027', reply: { text: 'OK late', afterMs: 5 } });
  const [outcome] = await submit('STATUS');
  await expect.poll(() => received.length).toBe(2);
  const [receipt, reply] = received;
  expect(outcome).toMatchObject({ outcome: 'sent' });
  expect(receipt && readReceipt(receipt)).toMatchObject({
    messageIds: [outcome?.outcome === 'sent' && outcome.messageId],
    state: 'undeliverable',
    error: '027',
    address: '34600000001',
  });
  expect(textOf(reply)).toBe('OK late');
  expect(reply?.destination.address).toBe('2800');
  expect(smsc.stats()).toMatchObject({ submits: 1, delivered: 2, waiting: 0 });
});

it('joins the parts of a long message, and rejects unknown numbers', async () => {
  await open();
  await submit(`INTERVAL ${'9'.repeat(200)}`);
  expect(handledTexts).toEqual([`INTERVAL ${'9'.repeat(200)}`]);
  expect(await submit('STATUS', '999')).toMatchObject([{ outcome: 'refused', status: { code: 0x0b } }]);
});

it('redelivers what could not be stored', async () => {
  await open();
  canStore = false;
  await submit('STATUS');
  await expect.poll(() => client.stats().counts.receivedFailed).toBe(1);
  expect(received).toEqual([]);
  canStore = true;
  smsc.send('34600000001', 'ALARM');
  await expect.poll(() => received.length, { timeout: 30_000 }).toBe(2);
  expect(received.filter((message) => readReceipt(message))).toHaveLength(1);
});

it('rejects a bind with a wrong password', async () => {
  await open({}, 'wrong');
  await expect.poll(() => client.stats().lastClosure).toMatchObject({ detail: 'ESME_RINVPASWD' });
});
