import { radioTypes } from '@simcube/contract/sim';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { layoutOf } from './cdr-columns.rules.ts';
import { type CdrLine, identifierKinds, parseCdrLine } from './cdr-line.rules.ts';
import { LineReader } from './line-reader.ts';
import { maxLineOctets } from './lines.ts';
import { OctetTable } from './octet-table.ts';

const header =
  'iccid,msisdn,identifier,record_id,session_id,started_at,ended_at,up_bytes,down_bytes,mcc,mnc,rat,colour,apn,cell';
const layout = layoutOf(header);

const digits = (min: number, max = min) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));
const time = fc.oneof(
  fc
    .date({ min: new Date('1999-12-30'), max: new Date('2200-01-03'), noInvalidDate: true })
    .map((at) => at.toISOString()),
  fc.constantFrom(
    '2026-11-21T03:12:45Z',
    '2026-02-30T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T03:60:00.000Z',
    '2026-11-21T03:12:60.000Z',
    '2026-11-21T03:12:45.12Z',
    '2026-11-21T03:12:45:123Z',
    '2026-11-21 03:12:45Z',
    '2026-11-21T03:12:45+01:00',
    '2026-11-21t03:12:45Z',
    '2026/11/21T03:12:45Z',
    ' 2026-11-21T03:12:45Z',
    '1795230000',
    '1795230000123',
    '',
  ),
);
const volume = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 2 ** 40 }).map(String) },
  { weight: 2, arbitrary: digits(1, 17) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '-1', '1.5', '1e3', ' 1', '/', ':', String(2 ** 42), String(2 ** 42 + 1)),
  },
);
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'iot.acme', 'IoT.Acme', 'S1-7', '262-02-1043') },
  {
    weight: 1,
    arbitrary: fc.string({
      unit: fc.constantFrom(...'aZ9 -"\t\r\0\u007fé漢\u00a0\u200b\ufffd'),
      maxLength: 12,
    }),
  },
  { weight: 1, arbitrary: fc.integer({ min: 120, max: 140 }).map((length) => 'x'.repeat(length)) },
);
const network = fc.oneof({ weight: 5, arbitrary: digits(3) }, fc.constantFrom('', '01', '2', '2620', 'abc'));
const identifier = fc.oneof(
  { weight: 5, arbitrary: digits(15, 20) },
  fc.constantFrom('', ' ', '8'.repeat(24), '8'.repeat(25), '8'.repeat(27), '\0', 'é'),
);
const radio = fc.constantFrom('', ...radioTypes, 'EUTRAN', 'eutran', '9G', ' 4G', '4G ');
const line = fc
  .tuple(
    fc.tuple(identifier, identifier, identifier, text, text, time, time),
    fc.tuple(volume, volume, network, network, radio, text, text, text),
    fc.constantFrom('', '', '', '\r', '\r\r', ',', ' '),
  )
  .map(([first, second, end]) => [...first, ...second].join(',') + end);
const plainLine = fc
  .tuple(
    digits(19),
    fc.date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true }),
  )
  .map(([iccid, at]) => `${iccid},,,,S1-7,,${at.toISOString()},10,20,262,02,EUTRAN,red,IoT.acme,262-02-1043`);

interface Read {
  lines: [line: number, record: CdrLine][];
  refusals: { line: number; reason: string }[];
}

/** Each line as parsed by the rules alone. */
const bySingleLines = (lines: readonly string[]): Read => {
  const read: Read = { lines: [], refusals: [] };
  lines.forEach((some, index) => {
    const octets = Buffer.from(some);
    const rest = some.replace(/\r$/, '');
    if (rest === '') return;
    const result = octets.length > maxLineOctets ? 'line-too-long' : parseCdrLine(rest, layout);
    if (typeof result === 'string') read.refusals.push({ line: index + 2, reason: result });
    else read.lines.push([index + 2, result]);
  });
  return read;
};

const byReader = (lines: readonly string[], cuts: number): Read => {
  const reader = new LineReader(layout, 0);
  const identifiers = new OctetTable();
  const all = [header, ...lines];
  const each = Math.ceil(all.length / cuts);
  for (let from = 0; from < all.length; from += each) {
    const octets = Buffer.from(`${all.slice(from, from + each).join('\n')}\n`);
    reader.read({ octets, isTruncated: false, endsAt: 0 }, identifiers);
  }
  expect(reader.line).toBe(all.length);
  const { columns, texts, refusals } = reader.take();
  const totalOf = (position: number) => {
    const up = columns.totals?.up[position] ?? Number.NaN;
    return Number.isNaN(up) ? null : { up, down: columns.totals?.down[position] as number };
  };
  const textOf = (number: number | undefined) => texts[number ?? -1]?.toString() ?? null;
  const records = Array.from({ length: columns.length }, (_, position): [number, CdrLine] => [
    columns.line[position] as number,
    {
      kind: identifierKinds[identifiers.tag(columns.identifier[position] as number)] ?? 'identifier',
      identifier: identifiers.text(columns.identifier[position] as number),
      key: columns.key[position] as number,
      session: columns.session[position] as number,
      startedAt: columns.startedAt[position] as number,
      endedAt: columns.endedAt[position] as number,
      up: columns.up[position] as number,
      down: columns.down[position] as number,
      total: totalOf(position),
      plmn: columns.plmn[position] as number,
      radio: columns.radio[position] as number,
      apn: textOf(columns.apn[position]),
      cell: textOf(columns.cell[position]),
    },
  ]);
  return { lines: records, refusals };
};

it('the line reader reads octets like their text', { timeout: 120_000 }, () => {
  const some = fc.oneof(
    { weight: 3, arbitrary: line },
    { weight: 3, arbitrary: plainLine },
    {
      weight: 1,
      arbitrary: fc.string({ unit: 'grapheme', maxLength: 80 }).map((other) => other.replaceAll('\n', ' ')),
    },
    { weight: 1, arbitrary: fc.constantFrom('', '\r', 'y'.repeat(maxLineOctets + 1)) },
  );
  const totals = { lines: 0, refusals: 0 };
  fc.assert(
    fc.property(
      fc.array(some, { maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 5 }),
      (lines, cuts) => {
        const found = byReader(lines, cuts);
        expect(found).toEqual(bySingleLines(lines));
        totals.lines += found.lines.length;
        totals.refusals += found.refusals.length;
      },
    ),
    { numRuns: 1500 },
  );
  expect(Math.min(totals.lines, totals.refusals)).toBeGreaterThan(5000);
});

it('the line reader numbers each text once', () => {
  const table = new OctetTable();
  const numberOf = (name: string, tag: number) => {
    const octets = Buffer.from(`<${name}>`);
    return table.numberOf(octets, 1, octets.length - 1, tag);
  };
  for (let round = 0; round < 2; round += 1) {
    for (let index = 0; index < 30_000; index += 1) {
      expect(numberOf(`text ${index >> 1}`, index & 1)).toBe(index);
    }
  }
  expect(table.size).toBe(30_000);
  expect([table.text(12_346), table.tag(12_346)]).toEqual(['text 6173', 0]);
  expect([table.text(12_347), table.tag(12_347)]).toEqual(['text 6173', 1]);
});
