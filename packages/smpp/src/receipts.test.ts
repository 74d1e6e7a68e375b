import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFinalState, messageIdCandidates, messageIdKey, readReceipt, tlv, writeTlv } from './index.ts';
import { sampleDelivery } from './testing/sample-messages.ts';

const receipt = (text: string | Buffer, fields = {}) =>
  readReceipt(sampleDelivery({ esmClass: 4, shortMessage: Buffer.from(text as string), ...fields }));

const standard =
  'id:0000123456 sub:001 dlvrd:001 submit date:2611230010 done date:2611230011 stat:DELIVRD err:000 text:hello';

describe('a delivery receipt', () => {
  it('is read from the text format of Appendix B', () => {
    expect(receipt(standard)).toEqual({
      messageIds: ['0000123456'],
      state: 'delivered',
      error: '000',
      networkError: undefined,
      address: '34600000001',
      sender: '1234',
      text: standard,
    });
  });

  it.each([
    ['STAT:UNDELIV ERR:0A1 ID:abc-DEF', { messageIds: ['abc-DEF'], state: 'undeliverable', error: '0A1' }],
    ['id: 77 stat: expired', { messageIds: ['77'], state: 'expired', error: undefined }],
    ['id:1,stat:REJECTED,err:8', { messageIds: ['1'], state: 'rejected', error: '8' }],
    ['id:1 status:ENROUTE', { messageIds: ['1'], state: 'enroute' }],
    ['id:1 stat:ACCEPTD text:stat:DELIVRD id:2', { messageIds: ['1'], state: 'accepted' }],
    ['text:hi id:9 stat:DELETED', { messageIds: ['9'], state: 'deleted' }],
    ['submit date:2611230010 id:5 stat:FAILED', { messageIds: ['5'], state: 'undeliverable' }],
    ['sid:8 stat:WHATEVER', { messageIds: [], state: undefined }],
    ['', { messageIds: [], state: undefined, error: undefined }],
  ])('is read in any order and case: %s', (text, expected) => {
    expect(receipt(text)).toMatchObject(expected);
  });

  it('has its id truncated like that of the submit response', () => {
    const payload = writeTlv(tlv.messagePayload, Buffer.from(`id:${'7'.repeat(9000)} stat:DELIVRD`));
    expect(receipt('', { tlvs: [payload] })).toMatchObject({ messageIds: ['7'.repeat(255)] });
    const halved = Buffer.from(`id:${'7'.repeat(254)}😀 stat:DELIVRD`, 'utf16le').swap16();
    const wide = { tlvs: [writeTlv(tlv.messagePayload, halved)] };
    expect(receipt('', wide)).toMatchObject({ messageIds: [`${'7'.repeat(254)}😀`] });
  });

  it('is read regardless of data_coding', () => {
    expect(receipt(standard, { dataCoding: 8 })).toMatchObject({ messageIds: ['0000123456'] });
    const ucs2 = Buffer.from(standard, 'utf16le').swap16();
    expect(receipt(ucs2)).toMatchObject({ messageIds: ['0000123456'], state: 'delivered' });
    // GSM 7-bit has the underscore at 0x11.
    expect(receipt('id:a\u0011b stat:DELIVRD')).toMatchObject({ messageIds: ['a_b'] });
  });

  it('is read from its optional parameters, which take precedence over the text', () => {
    const tlvs = [
      writeTlv(tlv.receiptedMessageId, '1e240'),
      writeTlv(tlv.messageState, 5),
      writeTlv(tlv.networkErrorCode, Buffer.of(3, 0, 6)),
    ];
    expect(receipt('', { esmClass: 0, tlvs })).toMatchObject({
      messageIds: ['1e240'],
      state: 'undeliverable',
    });
    expect(receipt(standard, { tlvs })).toMatchObject({
      messageIds: ['1e240', '0000123456'],
      state: 'undeliverable',
      networkError: { type: 3, code: 6 },
    });
    expect(receipt(standard, { tlvs: [writeTlv(tlv.messageState, 99)] })).toMatchObject({
      state: 'delivered',
    });
  });

  it('is never recognised by its text alone', () => {
    expect(receipt(standard, { esmClass: 0 })).toBeUndefined();
    expect(receipt(standard, { esmClass: 0x40 })).toBeUndefined();
  });

  it('is not final while the message is in transit', () => {
    expect(
      ['enroute', 'accepted', 'delivered', 'unknown'].map((state) => isFinalState(state as 'enroute')),
    ).toEqual([false, false, true, true]);
  });
});

describe('message ids', () => {
  const forms: ((id: bigint) => string)[] = [
    (id) => id.toString(),
    (id) => id.toString(16),
    (id) => id.toString(16).toUpperCase(),
    (id) => id.toString().padStart(12, '0'),
    (id) => id.toString(16).padStart(16, '0').toUpperCase(),
    (id) => `0x${id.toString(16)}`,
  ];

  it('match in every notation of submits and receipts', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (id) => {
        for (const submitted of forms) {
          for (const reported of forms) {
            expect(messageIdCandidates(reported(id))).toContain(messageIdKey(submitted(id)));
          }
        }
      }),
    );
  });

  it.each([
    ['0000123456', ['123456', '1e240', '1193046']],
    ['1E240', ['1e240', '123456']],
    ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', ['3f2504e0-4f89-11d3-9a0c-0305e82c3301']],
    ['msg_id_not_implemented', ['msg_id_not_implemented']],
    ['000', ['0']],
    ['', []],
  ])('have candidates, most likely first: %s', (id, candidates) => {
    expect(messageIdCandidates(id)).toEqual(candidates);
  });
});
