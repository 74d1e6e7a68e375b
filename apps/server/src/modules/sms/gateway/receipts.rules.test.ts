import { statusOf } from '@simcube/smpp';
import { describe, expect, it } from 'vitest';
import {
  type AwaitingPart,
  deliveredAtOnce,
  partOf,
  refusalOf,
  senderOf,
  settling,
} from './receipts.rules.ts';

const receiptOf = (id: string, address = '88213001', sender = '4900') => {
  const found = settling({
    messageIds: id === '' ? [] : [id],
    state: 'delivered',
    error: '000',
    networkError: undefined,
    address,
    sender,
    text: '',
  });
  if (!found) throw new Error('not settling');
  return found;
};
const part = (id: number, smscId: string, destination = '88213001'): AwaitingPart => ({
  id,
  smscId,
  smscKey: smscId.toLowerCase().replace(/^0+(?=.)/, ''),
  destination,
});

describe('the part that a receipt is about', () => {
  it('is that with its id literally, whatever others look like in another form', () => {
    expect(partOf(receiptOf('26'), [part(1, '1A'), part(2, '26')])?.id).toBe(2);
    expect(partOf(receiptOf('26', '0'), [part(2, '26')])?.id).toBe(2);
  });

  it.each([
    ['hexadecimal for decimal', '1A', '26'],
    ['decimal for hexadecimal', '26', '1A'],
    ['without leading zeros', '7', '0007'],
    ['in another case', 'ABC-1', 'abc-1'],
  ])('is found by its id in another form: %s', (_, received, given) => {
    expect(partOf(receiptOf(received), [part(1, given)])?.id).toBe(1);
    expect(partOf(receiptOf(received), [part(1, given, '999')])).toBeUndefined();
  });

  it('is not one to another number, which another SMSC has under the same id', () => {
    expect(partOf(receiptOf('26', '+4915112345678'), [part(1, '26')])).toBeUndefined();
    const all = [part(1, '26', '88213009'), part(2, '1A')];
    expect(partOf(receiptOf('26'), all)?.id).toBe(2);
  });

  it.each([
    ['in national form', '015112345678', '4900'],
    ['with a prefix of its own', '8915112345678', '4900'],
    ['hidden', '49151xxxxxxx', '4900'],
    ['hidden in the middle', '4915112***78', '4900'],
    ['left out', '', '4917600000001'],
    ['in the place of the sender', '4917600000001', '+4915112345678'],
  ])('is found by its id literally with a number that is written %s', (_, address, sender) => {
    expect(partOf(receiptOf('26', address, sender), [part(1, '26', '4915112345678')])?.id).toBe(1);
  });

  it('is found by the number where the SMSC gives all the same id', () => {
    const all = [part(1, 'none', '88213009'), part(2, 'none'), part(3, 'none')];
    expect(partOf(receiptOf('none', '+88213001'), all)?.id).toBe(2);
    expect(partOf(receiptOf('none', '4900', '88213001'), all)?.id).toBe(2);
  });
});

describe('an answer and a receipt that come together', () => {
  const sent = (id: number, messageId: string, destination = '88213001') => ({
    ...{ id, messageId, destination, outcome: 'sent' as const },
  });
  const both = (ids: string[], receipts: ReturnType<typeof receiptOf>[]) => {
    const outcomes = ids.map((messageId, index) => sent(index, messageId));
    return deliveredAtOnce({ outcomes, receipts });
  };

  it('are one change, whichever the others are', () => {
    const { delivered, left } = both(['A', 'B'], [receiptOf('B', '+0088213001'), receiptOf('C')]);
    expect(delivered.map(({ outcome }) => outcome.id)).toEqual([1]);
    expect(left).toMatchObject({ outcomes: [{ messageId: 'A' }], receipts: [{ ids: ['C'] }] });
  });

  it.each([
    ['the id is in another form', both(['1A'], [receiptOf('26')])],
    ['the number is another', both(['A'], [receiptOf('A', '999')])],
    ['two have the id', both(['A', 'A'], [receiptOf('A')])],
    ['it has failed', both(['A'], [{ ...receiptOf('A'), reason: 'undeliverable' }])],
  ])('are stored one after the other when %s', (_, { delivered, left }) => {
    expect(delivered).toEqual([]);
    expect(left.receipts).toHaveLength(1);
  });

  it('settle a part once', () => {
    const { delivered, left } = both(['A'], [receiptOf('A'), receiptOf('A')]);
    expect([delivered.length, left.outcomes.length, left.receipts.length]).toEqual([1, 0, 1]);
  });
});

describe('what the network says', () => {
  it('is final or leaves the message as it is', () => {
    const said = {
      messageIds: ['1'],
      error: '027',
      networkError: undefined,
      address: '1',
      sender: '2',
      text: '',
    };
    expect(settling({ ...said, state: 'accepted' })).toBeUndefined();
    expect(settling({ ...said, state: 'unknown' })).toBeUndefined();
    expect(settling({ ...said, state: 'undeliverable' })).toMatchObject({
      reason: 'undeliverable',
      networkCode: '027',
    });
    expect(settling({ ...said, state: 'delivered' })).toMatchObject({ reason: null, networkCode: null });
    const error = `${'7'.repeat(39)}😀`;
    expect(settling({ ...said, state: 'deleted', error })).toMatchObject({ networkCode: '7'.repeat(39) });
    expect(refusalOf(statusOf(0x0b))).toEqual({
      reason: 'address-invalid',
      networkCode: 'ESME_RINVDSTADR (0x0b)',
    });
  });
});

it('who wrote is a number, however it is written, or a name, whatever digits it has', () => {
  expect(['+88213001', '0088213001', '88213 001'].map(senderOf)).toEqual(Array(3).fill('88213001'));
  expect(['BANK', 'M88213001', 'Línea 1', ''].map(senderOf)).toEqual(['BANK', 'M88213001', 'Línea 1', '']);
  expect(senderOf('BA\u001b[2JNK\nX\u0085')).toBe('BA [2JNK X ');
});
