import { type StatusName, statusCode, statusOf } from '@simcube/smpp';
import { describe, expect, it } from 'vitest';
import {
  type AwaitingPart,
  finalReceipt,
  lateOutcomeOf,
  matchingPart,
  outcomeOf,
  partsTo,
  refusalOf,
  senderOf,
  splitDelivered,
} from './receipts.rules.ts';

const receiptOf = (id: string, address = '88213001', sender = '4900') => {
  const found = finalReceipt({
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
  it('is the one with the literal id, even if others match in another form', () => {
    expect(matchingPart(receiptOf('26'), [part(1, '1A'), part(2, '26')])?.id).toBe(2);
    expect(matchingPart(receiptOf('26', '0'), [part(2, '26')])?.id).toBe(2);
  });

  it.each([
    ['hexadecimal for decimal', '1A', '26'],
    ['decimal for hexadecimal', '26', '1A'],
    ['without leading zeros', '7', '0007'],
    ['in another case', 'ABC-1', 'abc-1'],
  ])('is found by its id in another form: %s', (_, received, given) => {
    expect(matchingPart(receiptOf(received), [part(1, given)])?.id).toBe(1);
    expect(matchingPart(receiptOf(received), [part(1, given, '999')])).toBeUndefined();
  });

  it('has its id: none is found by its number alone', () => {
    expect(matchingPart(receiptOf('77'), [part(1, '26')])).toBeUndefined();
    expect(matchingPart(receiptOf(''), [part(1, '26')])).toBeUndefined();
    expect(
      matchingPart(receiptOf('26'), [{ ...part(1, '26'), smscId: null, smscKey: null }]),
    ).toBeUndefined();
  });

  it('is not one to another number of its length, which may be shorter by a country code', () => {
    const found = (address: string, sender = '4900') =>
      matchingPart(receiptOf('26', address, sender), [part(1, '26', '4915112345678')])?.id;
    expect([found('15119999999'), found('9999999')]).toEqual([undefined, 1]);
    expect(found('15119999999', '15112345678')).toBe(1);
    const short = (address: string) => matchingPart(receiptOf('26', address), [part(1, '26', '8821300')])?.id;
    expect([short('9999999'), short('999999')]).toEqual([undefined, 1]);
  });

  it('is to the number in the receipt, else to its sender', () => {
    const all = [part(1, 'A'), part(2, 'A', '4900')];
    const ids = (address: string, sender?: string) =>
      partsTo({ address, ...(sender === undefined ? {} : { sender }) }, all).map(({ id }) => id);
    expect([ids('88213001', '4900'), ids('999', '4900'), ids('999')]).toEqual([[1], [2], []]);
  });

  it('is not one to another number, to which another SMSC gave the same id', () => {
    expect(matchingPart(receiptOf('26', '+4915112345678'), [part(1, '26')])).toBeUndefined();
    const all = [part(1, '26', '88213009'), part(2, '1A')];
    expect(matchingPart(receiptOf('26'), all)?.id).toBe(2);
  });

  it.each([
    ['in national form', '015112345678', '4900'],
    ['with a prefix of its own', '8915112345678', '4900'],
    ['hidden', '49151xxxxxxx', '4900'],
    ['hidden in the middle', '4915112***78', '4900'],
    ['left out', '', '4917600000001'],
    ['in the place of the sender', '4917600000001', '+4915112345678'],
  ])('is found by its id literally with a number that is written %s', (_, address, sender) => {
    expect(matchingPart(receiptOf('26', address, sender), [part(1, '26', '4915112345678')])?.id).toBe(1);
  });

  it('is found by number if the SMSC gives all parts the same id', () => {
    const all = [part(1, 'none', '88213009'), part(2, 'none'), part(3, 'none')];
    expect(matchingPart(receiptOf('none', '+88213001'), all)?.id).toBe(2);
    expect(matchingPart(receiptOf('none', '4900', '88213001'), all)?.id).toBe(2);
  });
});

describe('a response and a receipt that arrive together', () => {
  const sent = (id: number, messageId: string, destination = '88213001') => ({
    id,
    messageId,
    destination,
    outcome: 'sent' as const,
  });
  const both = (ids: string[], receipts: ReturnType<typeof receiptOf>[]) => {
    const outcomes = ids.map((messageId, index) => sent(index, messageId));
    return splitDelivered({ outcomes, receipts });
  };

  it('are one change, independently of the others', () => {
    const { delivered, rest } = both(['A', 'B'], [receiptOf('B', '+0088213001'), receiptOf('C')]);
    expect(delivered.map(({ outcome }) => outcome.id)).toEqual([1]);
    expect(rest).toMatchObject({ outcomes: [{ messageId: 'A' }], receipts: [{ ids: ['C'] }] });
  });

  it.each([
    ['the id is in another form', both(['1A'], [receiptOf('26')])],
    ['the number is another', both(['A'], [receiptOf('A', '999')])],
    ['two have the id', both(['A', 'A'], [receiptOf('A')])],
    ['it has failed', both(['A'], [{ ...receiptOf('A'), reason: 'undeliverable' }])],
  ])('are stored one after the other when %s', (_, { delivered, rest }) => {
    expect(delivered).toEqual([]);
    expect(rest.receipts).toHaveLength(1);
  });

  it('are not one change for a refused part, nor for a receipt with several ids or none', () => {
    const refused = { ...sent(0, 'A'), outcome: 'unknown' as const };
    expect(splitDelivered({ outcomes: [refused], receipts: [receiptOf('A')] }).delivered).toEqual([]);
    expect(both(['A'], [{ ...receiptOf('A'), ids: ['A', 'B'] }]).delivered).toEqual([]);
    expect(both(['A'], [receiptOf('')]).delivered).toEqual([]);
  });

  it('settle a part once', () => {
    const { delivered, rest } = both(['A'], [receiptOf('A'), receiptOf('A')]);
    expect([delivered.length, rest.outcomes.length, rest.receipts.length]).toEqual([1, 0, 1]);
  });
});

describe('the state in a receipt', () => {
  it('is final or leaves the message unchanged', () => {
    const said = {
      messageIds: ['1'],
      error: '027',
      networkError: undefined,
      address: '1',
      sender: '2',
      text: '',
    };
    expect(finalReceipt({ ...said, state: 'accepted' })).toBeUndefined();
    expect(finalReceipt({ ...said, state: 'unknown' })).toBeUndefined();
    expect(finalReceipt({ ...said, state: 'undeliverable' })).toMatchObject({
      reason: 'undeliverable',
      networkCode: '027',
    });
    expect(finalReceipt({ ...said, state: 'delivered' })).toMatchObject({ reason: null, networkCode: null });
    const networkError = { type: 3, code: 27 };
    expect(finalReceipt({ ...said, state: 'rejected', networkError })).toMatchObject({ networkCode: '3:27' });
    expect(finalReceipt({ ...said, state: 'expired', error: undefined })).toMatchObject({
      reason: 'expired',
      networkCode: null,
    });
    const error = `${'7'.repeat(39)}😀`;
    expect(finalReceipt({ ...said, state: 'deleted', error })).toMatchObject({ networkCode: '7'.repeat(39) });
    expect(refusalOf(statusOf(0x0b))).toEqual({
      reason: 'address-invalid',
      networkCode: 'ESME_RINVDSTADR (0x0b)',
    });
  });
});

it('the sender is a number in any notation, or a name even with digits', () => {
  expect(['+88213001', '0088213001', '88213 001'].map(senderOf)).toEqual(Array(3).fill('88213001'));
  expect(['BANK', 'M88213001', 'Línea 1', ''].map(senderOf)).toEqual(['BANK', 'M88213001', 'Línea 1', '']);
  expect([senderOf('88213001x'), senderOf('n'.repeat(50))]).toEqual(['88213001x', 'n'.repeat(40)]);
  expect(senderOf('BA\u001b[2JNK\nX\u0085')).toBe('BA [2JNK X ');
});

describe('a refusal of the SMSC', () => {
  const refusal = (name: StatusName) => ({ outcome: 'refused', status: statusOf(statusCode[name]) }) as const;

  it.each([
    ['ESME_RTHROTTLED', 'not-sent'],
    ['ESME_RMSGQFUL', 'not-sent'],
    ['ESME_RSYSERR', 'not-sent'],
    ['ESME_RX_T_APPN', 'not-sent'],
    ['ESME_RINVBNDSTS', 'not-sent'],
    ['ESME_RX_P_APPN', 'refused'],
    ['ESME_RINVDSTADR', 'refused'],
    ['ESME_RSUBMITFAIL', 'refused'],
  ] as const)('%s makes the part %s', (name, outcome) => {
    expect(outcomeOf(refusal(name)).outcome).toBe(outcome);
    // The message is unknown by now, and is not sent again.
    expect(lateOutcomeOf(refusal(name)).outcome).toBe('refused');
  });
});

describe('a submit', () => {
  it('has the result of its response; one that could not be written is refused', () => {
    expect(outcomeOf({ outcome: 'sent', messageId: '7' })).toEqual({ outcome: 'sent', messageId: '7' });
    expect(outcomeOf({ outcome: 'unknown' } as never)).toEqual({ outcome: 'unknown' });
    expect(outcomeOf({ outcome: 'not-sent', reason: 'closed' } as never)).toEqual({ outcome: 'not-sent' });
    const invalid = (detail?: string) =>
      outcomeOf({ outcome: 'not-sent', reason: 'invalid', detail } as never);
    expect(invalid('d'.repeat(50))).toEqual({
      outcome: 'refused',
      verdict: { reason: 'address-invalid', networkCode: 'd'.repeat(40) },
    });
    expect(invalid()).toMatchObject({ verdict: { networkCode: null } });
  });
});
