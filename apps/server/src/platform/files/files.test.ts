import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { CFB, read, utils, write } from '@e965/xlsx';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type Cell, FileRefused, readTable, writeTable } from './index.ts';
import { type ArchiveEntry, zipArchive } from './zip-archive.ts';

// Each reading starts a worker thread.
vi.setConfig({ testTimeout: 30_000 });

const iccids = Array.from({ length: 5 }, (_, i) => [
  `898600123000000000${String(i).padStart(2, '0')}`,
  `pump ${i}`,
]);
const rows = [['ICCID', 'Device name'], ...iccids];
const book = (
  table: unknown[][],
  bookType: 'xls' | 'xlsx',
  change: (sheet: object) => void = () => undefined,
) => {
  const sheet = utils.aoa_to_sheet(table);
  change(sheet);
  const workbook = utils.book_new(sheet, 'SIMs');
  return write(workbook, { type: 'buffer', bookType, compression: true }) as Buffer;
};
const csv = (text: string | Buffer, name = 'sims.csv') => ({ name, content: Buffer.from(text) });
const refusalOf = async (file: { name: string; content: Buffer }, maxRows = 100) => {
  const error = await readTable(file, { maxRows }).catch((caught: unknown) => caught);
  return error instanceof FileRefused ? error.refusal : error;
};
async function* given(table: readonly (readonly Cell[])[]) {
  yield* table;
}
interface CFBEntry {
  content: Buffer;
  size: number;
}
/** As programs write an archive that do not know beforehand how long its entries become. */
const entryOf = (name: string, pieces: readonly Buffer[]): ArchiveEntry => ({
  name,
  at: new Date('2026-11-21T12:00:00Z'),
  content: Readable.from(pieces),
});
const archiveOf = async (entries: readonly ArchiveEntry[]) =>
  Buffer.concat(await zipArchive(entries).toArray());
const fileOf = async (format: 'csv' | 'xlsx', table: readonly (readonly Cell[])[]) => {
  const pieces: Buffer[] = [];
  for await (const piece of writeTable(format, given(table))) pieces.push(piece);
  return Buffer.concat(pieces);
};

describe('a table is read', () => {
  it.each([
    ['CSV', csv(rows.map((row) => row.join(',')).join('\n'))],
    [
      'CSV with semicolons, CRLF and a byte order mark',
      csv(`\u{feff}${rows.map((row) => row.join(';')).join('\r\n')}\r\n`),
    ],
    [
      'CSV whose first line names the delimiter',
      csv(`\u{feff}sep=;\r\n${rows.map((row) => row.join(';')).join('\r\n')}\r\n`),
    ],
    [
      'CSV whose lines end with carriage returns alone, and whose first line names the delimiter',
      csv(`sep=;\r${rows.map((row) => row.join(';')).join('\r')}\r`),
    ],
    [
      'UTF-16',
      {
        name: 'sims.CSV',
        content: Buffer.concat([
          Buffer.from([0xff, 0xfe]),
          Buffer.from(rows.map((row) => row.join('\t')).join('\n'), 'utf16le'),
        ]),
      },
    ],
    ['XLSX', { name: 'sims.xlsx', content: book(rows, 'xlsx') }],
    ['XLS', { name: 'sims.xls', content: book(rows, 'xls') }],
  ])('from %s', async (_, file) => {
    expect(await readTable(file, { maxRows: 100 })).toEqual(rows);
  });

  it.each([
    ['UTF-8', Buffer.from('ID,Año — €')],
    ['UTF-8 with its mark', Buffer.from('\u{feff}ID,Año — €')],
    ['UTF-16, the low octet first', Buffer.from('\u{feff}ID,Año — €', 'utf16le')],
    ['UTF-16, the high octet first', Buffer.from('\u{feff}ID,Año — €', 'utf16le').swap16()],
    [
      'Windows-1252, as a Spanish spreadsheet writes it',
      Buffer.from([0x49, 0x44, 0x2c, 0x41, 0xf1, 0x6f, 0x20, 0x97, 0x20, 0x80]),
    ],
  ])('from a CSV file in %s', async (_, heading) => {
    const isUtf16 = heading.includes(0);
    const rest = Buffer.from('\n1,x\n', isUtf16 ? 'utf16le' : 'utf8');
    const content = Buffer.concat([heading, heading[0] === 0xfe ? rest.swap16() : rest]);
    expect(await readTable({ name: 'a.csv', content }, { maxRows: 9, language: 'es-ES' })).toEqual([
      ['ID', 'Año — €'],
      ['1', 'x'],
    ]);
  });

  it('from Windows-1252 with every character', async () => {
    const octets = Array.from({ length: 128 }, (_, index) => index + 0x80).filter(
      (octet) => ![0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(octet),
    );
    const cells = [octets.map((octet) => String.fromCharCode(octet)).join('a'), 'ñandú ¿É? Operação'];
    const content = Buffer.from(`ID,N\n1,${cells[0]}\n2,${cells[1]}\n`, 'latin1');
    const [, [, all], [, words]] = (await readTable({ name: 'a.csv', content }, { maxRows: 9 })) as [
      string[],
      string[],
      string[],
    ];
    expect(all).toMatch(/^€a‚aƒa„a…a†a‡aˆa‰aŠa‹aŒaŽa‘a’a“a”a•a–a—a˜a™aš/u);
    expect(all).toHaveLength(octets.length * 2 - 1);
    expect(all?.endsWith('ýaþaÿ')).toBe(true);
    expect(words).toBe('ñandú ¿É? Operação');
  });

  it.each([
    ['zh-CN', [0xcb, 0xae, 0xb1, 0xc3], '水泵'],
    ['zh-TW', [0xa4, 0xf4, 0xac, 0xa6], '水泵'],
  ] as const)('from the legacy code page of %s', async (language, octets, text) => {
    const content = Buffer.concat([Buffer.from('ID,N\n1,'), Buffer.from(octets), Buffer.from('\n')]);
    expect(await readTable({ name: 'a.csv', content }, { maxRows: 9, language })).toEqual([
      ['ID', 'N'],
      ['1', text],
    ]);
  });

  it('from the first visible sheet', async () => {
    const workbook = utils.book_new(utils.aoa_to_sheet([['a'], ['hidden']]), 'old');
    utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows), 'SIMs');
    for (const bookType of ['xls', 'xlsx'] as const) {
      workbook.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }] };
      const content = write(workbook, { type: 'buffer', bookType }) as Buffer;
      expect(await readTable({ name: `a.${bookType}`, content }, { maxRows: 100 })).toEqual(rows);
    }
  });

  it('with numbers of up to 15 digits and longer digit strings', async () => {
    const table = [['IMSI'], [214071234567802], ['89860012300000000001'], [0.5], ['2E+05']];
    const content = book(table, 'xlsx');
    expect(await readTable({ name: 'a.xlsx', content }, { maxRows: 9 })).toEqual(
      table.map((row) => row.map(String)),
    );
  });
});

it('a character of a file name counts once, even if it has two UTF-16 code units', async () => {
  expect(await readTable(csv('a\nb', `${'x'.repeat(33)}📡📡.csv`), { maxRows: 9 })).toHaveLength(2);
  expect(await refusalOf(csv('a\nb', `${'x'.repeat(34)}📡📡.csv`))).toMatchObject({ code: 'CB-09-0003' });
});

describe('a file is rejected', () => {
  it.each([
    ['another format', csv('a\nb', 'sims.txt'), 'CB-09-0001'],
    ['a long name', csv('a\nb', `${'x'.repeat(40)}.csv`), 'CB-09-0003'],
    ['too many rows', csv(`a\n${'b\n'.repeat(101)}`), 'CB-09-0005'],
    ['a row behind empty ones', csv(`a\n${'b\n'.repeat(100)}${'\n'.repeat(30)}c\n`), 'CB-09-0005'],
    [
      'a row behind empty ones in XLSX',
      { name: 'a.xlsx', content: book([['a'], ...Array(150).fill(['']), ['c']], 'xlsx') },
      'CB-09-0005',
    ],
    ['octets that Windows-1252 leaves undefined', csv(Buffer.from([0x61, 0x0a, 0x81])), 'CB-09-0006'],
    ['half a character of UTF-16', csv(Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x0a])), 'CB-09-0006'],
    ['UTF-16 without a mark', csv(Buffer.from('a\nb', 'utf16le')), 'CB-09-0006'],
    ['a picture called CSV', csv(Buffer.from([0x89, 0x50, 0, 0, 1, 2])), 'CB-09-0006'],
    ['a picture called XLSX', csv(Buffer.from([0x89, 0x50, 0, 0, 1, 2]), 'a.xlsx'), 'CB-09-0006'],
    ['a cut workbook', { name: 'a.xlsx', content: book(rows, 'xlsx').subarray(0, 900) }, 'CB-09-0006'],
    ['nothing', csv(''), 'CB-09-0007'],
    ['a formula in CSV', csv('ICCID\n"=1+1"'), 'CB-09-0008'],
    ['digits as a formula in CSV', csv('ICCID,N\n="89860012300000000017",x'), 'CB-09-0008'],
    ['the error of a formula in CSV', csv('ICCID,N\n1,#N/A'), 'CB-09-0008'],
    ['one in Spanish', csv('ICCID,N\n1,"#¡DIV/0!"'), 'CB-09-0008'],
    [
      'the error of a formula in XLSX',
      {
        name: 'a.xlsx',
        content: book(rows, 'xlsx', (sheet) => Object.assign(sheet, { B2: { t: 'e', v: 0x2a } })),
      },
      'CB-09-0008',
    ],
    [
      'a formula in XLSX',
      {
        name: 'a.xlsx',
        content: book(rows, 'xlsx', (sheet) => Object.assign(sheet, { B2: { t: 'n', f: '1+1', v: 2 } })),
      },
      'CB-09-0008',
    ],
  ])('for %s', async (_, file, code) => {
    expect(await refusalOf(file)).toMatchObject({ code });
  });

  it.each([
    ['quotation marks that are not closed', csv('a,b\n1,2\n"3,4\n5,6\n'), 3],
    ['a quotation mark behind closed ones', csv('a,b\n1,2\n3,4\n"5"x,6\n'), 4],
    ['more cells than the heading has, but for empty ones', csv('a,b\n1,2,,\n3,4,x\n'), 3],
    ['a cell that is too long', csv(`a,b\n1,${'x'.repeat(40_000)}\n`), 2],
    ['such a cell in XLSX', { name: 'a.xlsx', content: book([['a'], ['x'.repeat(32_000)]], 'xlsx') }, 2],
  ])('with its row, for %s', async (_, file, row) => {
    expect(await refusalOf(file)).toMatchObject({ code: 'CB-09-0035', values: { row } });
  });

  it.each([
    ['an ICCID as a number', Number('89860012300000000017'), undefined],
    ['one that is shown with zeros in place of its last digits', Number('89860012300000000017'), '0'],
    ['one of 16 digits', 8986001230000017, undefined],
    ['a negative one', -8986001230000017, undefined],
  ])('with its row, for a number that lost digits: %s', async (_, v, z) => {
    const change = (sheet: object) => Object.assign(sheet, { A3: { t: 'n', v, ...(z && { z }) } });
    for (const bookType of ['xls', 'xlsx'] as const)
      expect(await refusalOf({ name: `a.${bookType}`, content: book(rows, bookType, change) })).toEqual({
        code: 'CB-09-0036',
        values: { row: 3 },
      });
  });

  it.each(['8.986E+19', '"8,98600123E+19"', '9E+15', '4.90154E+14', '4.91521E+11'])(
    'with its row, for a number in CSV that lost digits: %s',
    async (cell) => {
      const refusal = { code: 'CB-09-0036', values: { row: 3 } };
      expect(await refusalOf(csv(`ICCID\nx\n${cell}\n`))).toEqual(refusal);
    },
  );

  it.each([
    ['a.xlsx', 'EncryptedPackage', Buffer.alloc(64)],
    // The beginning of a workbook (BOF), and the mark of encryption (FilePass): MS-XLS, 2.4.21 and 2.4.117.
    [
      'a.xls',
      'Workbook',
      Buffer.from('0908100000060500bb0dcc0700000000060000002f0006000000b359a1c50a000000', 'hex'),
    ],
  ])('when it is password-protected: %s', async (name, stream, octets) => {
    const container = CFB.utils.cfb_new();
    CFB.utils.cfb_add(container, `/${stream}`, octets);
    const content = CFB.write(container, { type: 'buffer' }) as Buffer;
    expect(await refusalOf({ name, content })).toEqual({ code: 'CB-09-0037' });
  });

  it('when it unpacks to more than the maximum, whatever size it declares', async () => {
    const workbook = CFB.read(book(rows, 'xlsx'), { type: 'buffer' });
    const entries = (): ArchiveEntry[] =>
      workbook.FileIndex.flatMap(({ content, size }: CFBEntry, index: number) =>
        size > 0 ? [entryOf(workbook.FullPaths[index].replace('Root Entry/', ''), [content])] : [],
      );
    const zeros = entryOf('zeros', Array(301).fill(Buffer.alloc(2 ** 20)));
    const content = await archiveOf([...entries(), zeros]);
    const last = content.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    content.writeUInt32LE(1, last + 24);
    expect(content.length).toBeLessThan(2 ** 20);
    expect(await refusalOf({ name: 'bomb.xlsx', content })).toMatchObject({ code: 'CB-09-0006' });
    const small = await archiveOf(entries());
    expect(await readTable({ name: 'a.xlsx', content: small }, { maxRows: 9 })).toEqual(rows);
  });

  it('but not for trailing empty rows', async () => {
    const rowsOf100 = `a\n${'b\n'.repeat(100)}`;
    expect(await readTable(csv(`${rowsOf100}${'\n'.repeat(500)}`), { maxRows: 100 })).toHaveLength(101);
    const content = book([['a'], ...Array(100).fill(['b']), ...Array(50).fill([''])], 'xlsx');
    expect(await readTable({ name: 'a.xlsx', content }, { maxRows: 100 })).toHaveLength(101);
  });

  it('or read, for arbitrary content', async () => {
    const valid = book(rows, 'xlsx');
    const damaged = fc.tuple(fc.nat(valid.length - 1), fc.nat(255)).map(([at, value]) => {
      const copy = Buffer.from(valid);
      copy[at] = value;
      return { name: 'a.xlsx', content: copy };
    });
    const anything = fc
      .uint8Array({ maxLength: 400 })
      .map((bytes) => ({ name: 'a.csv', content: Buffer.from(bytes) }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(damaged, anything), async (file) => {
        const bounds = { maxRows: 100, timeLimitMs: 5000 };
        const outcome = await readTable(file, bounds).catch((error: unknown) => error);
        expect(Array.isArray(outcome) || outcome instanceof FileRefused).toBe(true);
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});

describe('a table is written', () => {
  it('without formulas that a spreadsheet would compute', async () => {
    const hostile = ['=cmd()', '+1', '-1', '@x', '\tx', 'a"b', 'a,b', 'a\nb', '水泵'];
    expect((await fileOf('csv', [hostile])).toString()).toBe(
      `\u{feff}'=cmd(),'+1,'-1,'@x,'\tx,"a""b","a,b","a\nb",水泵\r\n`,
    );
    const [written] = await readTable(
      { name: 'a.xlsx', content: await fileOf('xlsx', [hostile, ['x']]) },
      { maxRows: 5 },
    );
    expect(written?.slice(0, 4)).toEqual(hostile.slice(0, 4));
  });

  it('so that it reads back unchanged, including formula-like texts', async () => {
    const texts = ['=x', '+34 lamp', '-5 °C', '@home', "'quoted'", "O'Neil"];
    const file = { name: 'a.csv', content: await fileOf('csv', [texts, texts]) };
    expect(await readTable(file, { maxRows: 5 })).toEqual([texts, texts]);
  });

  it('with decimals as numbers', async () => {
    const row = [{ decimal: '-0.50' }, { decimal: '5.000' }, -3];
    expect((await fileOf('csv', [row])).toString()).toBe('\u{feff}-0.50,5.000,-3\r\n');
    const { Sheets, SheetNames } = read(await fileOf('xlsx', [row]), { type: 'buffer' });
    const { A1, B1, C1 } = Sheets[SheetNames[0] ?? ''] ?? {};
    expect([A1, B1, C1].map((cell) => [cell?.t, cell?.v])).toEqual([
      ['n', -0.5],
      ['n', 5],
      ['n', -3],
    ]);
  });

  it('with workbook cells truncated at the spreadsheet limit', async () => {
    const [fits, long] = ['x'.repeat(32_767), `${'x'.repeat(32_765)}😀${'y'.repeat(7_000)}`];
    const { Sheets, SheetNames } = read(await fileOf('xlsx', [[fits, long]]), { type: 'buffer' });
    const { A1, B1 } = Sheets[SheetNames[0] ?? ''] ?? {};
    expect([A1?.v === fits, B1?.v === `${'x'.repeat(32_765)}…`]).toEqual([true, true]);
    expect((await fileOf('csv', [[long]])).toString()).toContain(long);
  });

  it('with every character that a workbook allows, and without others', async () => {
    const texts = ['𠮷野家 🚚', '  two blanks  ', 'a_x0041_b', '<a href="b">&amp;</a>', 'first\nsecond', '٣'];
    const broken = 'bro\u0000ken \ud83d\uffff';
    const content = await fileOf('xlsx', [[...texts, broken]]);
    const { Sheets, SheetNames } = read(content, { type: 'buffer' });
    const cells = utils.sheet_to_json<string[]>(Sheets[SheetNames[0] ?? ''] ?? {}, { header: 1 })[0];
    expect(cells).toEqual([...texts, 'broken ']);
  });

  it('with columns beyond Z and ZZ', async () => {
    const row = Array.from({ length: 703 }, (_, index) => `c${index}`);
    const { Sheets, SheetNames } = read(await fileOf('xlsx', [row]), { type: 'buffer' });
    const written = Sheets[SheetNames[0] ?? ''] ?? {};
    expect([written['Z1'], written['AA1'], written['ZZ1'], written['AAA1']].map((cell) => cell?.v)).toEqual([
      ...['c25', 'c26', 'c701', 'c702'],
    ]);
  });

  it.each(['csv', 'xlsx'] as const)('as %s lazily, and closed when the reader stops', async (format) => {
    let [taken, ended] = [0, false];
    const rows = async function* () {
      try {
        for (;;) {
          taken += 1;
          yield [randomUUID()];
        }
      } finally {
        ended = true;
      }
    };
    for await (const _ of writeTable(format, rows())) if (taken > 5000) break;
    await expect.poll(() => ended).toBe(true);
  });

  it.each(['csv', 'xlsx'] as const)('as %s, and reads back unchanged', async (format) => {
    const content = await fileOf(format, rows);
    expect(await readTable({ name: `sims.${format}`, content }, { maxRows: 100 })).toEqual(rows);
  });
});
