import { hourMs } from '@simcube/contract/time';
import { addressOf, type MessageBody } from '@simcube/smpp';
import { beforeEach, describe, expect, it } from 'vitest';
import { Repetitions } from './repetitions.ts';

const message = (text: string): MessageBody => ({
  serviceType: '',
  source: addressOf('34600000001'),
  destination: addressOf('2800'),
  esmClass: 0,
  protocolId: 0,
  priority: 0,
  scheduleDeliveryTime: '',
  validityPeriod: '',
  registeredDelivery: 0,
  replaceIfPresent: 0,
  dataCoding: 0,
  defaultMessageId: 0,
  tlvs: [],
  shortMessage: Buffer.from(text),
});

let repetitions: Repetitions;
let stored: string[];
let now: number;

beforeEach(() => {
  now = 0;
  repetitions = new Repetitions(() => now);
  stored = [];
});

const take = (one: MessageBody, connection = 'main') =>
  repetitions.once(connection, one, async () => {
    stored.push(Buffer.from(one.shortMessage).toString());
  });

describe('a message that an SMSC delivers twice', () => {
  it('is stored once if the response was lost', async () => {
    const first = message('OK');
    const storing = take(first);
    repetitions.expect('main', first);
    await Promise.all([storing, take(message('OK'))]);
    expect(stored).toEqual(['OK']);
    // The same text sent again by the device is another message.
    await take(message('OK'));
    expect(stored).toEqual(['OK', 'OK']);
  });

  it('is stored twice if the first got its response, differs, or has another sender', async () => {
    const first = message('OK');
    await take(first);
    await take(message('OK'));
    repetitions.expect('main', first);
    await take(message('OK.'));
    await take(message('OK'), 'other');
    expect(stored).toEqual(['OK', 'OK', 'OK.', 'OK']);
  });

  it('is stored twice if the second arrives an hour later, because devices repeat the same text', async () => {
    const first = message('OK');
    const storing = take(first);
    repetitions.expect('main', first);
    await storing;
    now = hourMs;
    await take(message('OK'));
    expect(stored).toEqual(['OK', 'OK']);
  });

  it('is stored after all when the first could not be', async () => {
    const first = message('OK');
    const failing = repetitions.once('main', first, () => Promise.reject(new Error('the database is away')));
    repetitions.expect('main', first);
    await expect(failing).rejects.toThrow('the database is away');
    await take(message('OK'));
    expect(stored).toEqual(['OK']);
  });
});
