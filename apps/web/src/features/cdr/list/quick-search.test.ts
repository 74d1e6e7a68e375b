import { expect, test } from 'vitest';
import { paramsOfText, textOfParams } from './quick-search.ts';

const iccid = '89340700000023553065';
const none = { sims: undefined, list: undefined, session: undefined };

test.each([
  ['an ICCID', iccid, { sims: [iccid] }],
  ['an IMSI', '262021234518823', { sims: ['262021234518823'] }],
  ['a phone number in groups', '+34 (590) 000-112.345', { sims: ['34590000112345'] }],
  ['a session', `${iccid}-4711`, { session: `${iccid}-4711` }],
])('the quick search recognises %s', (_, text, params) => {
  expect(paramsOfText(text)).toEqual({ ...none, ...params });
  expect(paramsOfText(textOfParams(params))).toEqual({ ...none, ...params });
});

test('an empty text removes the filter, and others are not recognised', () => {
  expect(paramsOfText('')).toEqual(none);
  expect(paramsOfText('8934')).toBeUndefined();
});

test.each(['Truck 5496', '3597671'])('neither a name nor a part of a number is a SIM: %s', (text) => {
  expect(paramsOfText(text)).toBeUndefined();
});

test('several SIMs are shown in their filter only', () => {
  expect(textOfParams({ sims: [iccid, '262021234518823'] })).toBe('');
  expect(textOfParams({ last: '7d' })).toBe('');
});
