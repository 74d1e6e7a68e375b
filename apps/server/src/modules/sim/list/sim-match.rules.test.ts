import { describe, expect, it } from 'vitest';
import { matchesOf } from './sim-match.rules.ts';

const sim = {
  iccid: '89860012300004518823',
  imsi: '214070002354869',
  msisdn: '34600123456',
  last_imei: null,
  device_name: 'Gruß-Kiosk Madrid',
  tags: ['kiosk', 'ＦＬＥＥＴ 2', 'vip'],
  notes:
    'Serviced by team 7 in spring.\nThe cabinet is on the roof 🏠, behind the second of the four chimneys, key at gate',
};

/** Each match, with what was found in brackets. */
const found = (search: string, changes: Partial<typeof sim> = {}) =>
  matchesOf(search, { ...sim, ...changes }).map(
    ({ field, text, from, to }) =>
      `${field}: ${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`,
  );

describe('where a search finds something', () => {
  it.each<[string, string[]]>([
    ['2354869', ['imsi: 21407000[2354869]']],
    ['0012', ['iccid: 8986[0012]300004518823', 'msisdn: 346[0012]3456']],
    ['KIOSK', ['device_name: Gruß-[Kiosk] Madrid', 'tags: [kiosk]']],
    ['k', ['tags: [k]iosk']],
    ['fleet', ['tags: [ＦＬＥＥＴ] 2']],
    ['russ-k', ['device_name: G[ruß-K]iosk Madrid']],
    [
      'spring. the',
      [
        'notes: Serviced by team 7 in [spring. The] cabinet is on the roof 🏠, behind the second of the four ch…',
      ],
    ],
    ['at gate', ['notes: … the four chimneys, key [at gate]']],
    ['nothing', []],
    ['!', []],
  ])('%s', (search, places) => {
    expect(found(search)).toEqual(places);
  });

  it('is not the end of a field for what is searched at its start', () => {
    expect(found(' k ')).toEqual(['tags: [k]iosk']);
    expect(found('k', { tags: ['book', 'kiosk'] })).toEqual(['tags: [k]iosk']);
  });

  it('is shown with what is around it in long notes, whole where it fits', () => {
    const [before, after] = ['b'.repeat(23), 'a'.repeat(59)];
    expect(found('middle', { notes: `${before} middle ${after}` })).toEqual([
      `notes: ${before} [middle] ${after}`,
    ]);
    expect(found('middle', { notes: `bbbbb${before} middle ${after}a` })).toEqual([
      `notes: …${before} [middle] ${after}…`,
    ]);
  });

  it('is only the identifier when a complete one is searched for', () => {
    expect(found('214070002354869', { notes: 'was 214070002354869' })).toEqual(['imsi: [214070002354869]']);
    expect(found('214070002354869', { imsi: '1', notes: 'was 214070002354869' })).toEqual([
      'notes: was [214070002354869]',
    ]);
  });
});
