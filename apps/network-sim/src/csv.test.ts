import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCsvLine, writeCsv } from './csv.ts';
import { demoDevices } from './demo-devices.ts';
import { DeviceFileError, readDeviceFile } from './device-file.ts';

function collector(highWaterMark: number): { to: Writable; text: () => string; most: () => number } {
  let text = '';
  let most = 0;
  const to: Writable = new Writable({
    highWaterMark,
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      most = Math.max(most, to.writableLength);
      text += chunk;
      setImmediate(done);
    },
  });
  return { to, text: () => text, most: () => most };
}

describe('CSV', () => {
  it('round-trips any field without line ends', async () => {
    const plain = fc.string({ unit: fc.constantFrom('a', ',', '"', ' ', 'é', '|') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ a: plain, b: plain, c: fc.nat() }), { maxLength: 5 }),
        async (rows) => {
          const { to, text } = collector(64);
          await writeCsv({ columns: ['a', 'b', 'c'], rows, to });
          await new Promise((resolve) => to.end(resolve));
          const [, ...lines] = text().trimEnd().split('\n').map(parseCsvLine);
          expect(lines).toEqual(rows.map(({ a, b, c }) => [a, b, String(c)]));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('waits for a slow reader', async () => {
    const { to, most } = collector(16_384);
    const row = { a: 'x'.repeat(200) };
    const rows = (function* () {
      for (let i = 0; i < 20_000; i += 1) yield row;
    })();
    expect(await writeCsv({ columns: ['a'], rows, to })).toBe(20_000);
    expect(most()).toBeLessThan(600_000);
  });

  it('rejects an unclosed quote', () => {
    expect(parseCsvLine('a,"b')).toBeUndefined();
    expect(parseCsvLine('a,"b"c')).toBeUndefined();
    expect(parseCsvLine('"a,""b""",,')).toEqual(['a,"b"', '', '']);
  });
});

describe('a device file', () => {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'simcube-devices-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  async function file(text: string): Promise<string> {
    const path = join(directory, 'devices.csv');
    await writeFile(path, text);
    return path;
  }

  it('is read as it was written', async () => {
    const devices = demoDevices(50, 3);
    const { to, text } = collector(1_024);
    const columns = ['imsi', 'kind', 'iccid', 'msisdn', 'imei', 'apn', 'home_plmn', 'name', 'tags'] as const;
    await writeCsv({
      columns,
      rows: devices.map((device) => ({ ...device, home_plmn: device.homePlmn })),
      to,
    });
    const read = await readDeviceFile(await file(`\ufeff${text().replaceAll('\n', '\r\n')}`));
    expect(read).toEqual(
      devices.map(({ iccid, imsi, msisdn, imei, apn, kind, homePlmn }) => ({
        iccid,
        imsi,
        msisdn,
        imei,
        apn,
        kind,
        homePlmn,
      })),
    );
  });

  it('is rejected with the line and field of an error', async () => {
    const header = 'iccid,imsi,msisdn,imei,apn,kind\n';
    const good = '8934070000023548669,214070002354866,,358070094840627,,truck\n';
    await expect(readDeviceFile(await file(header + good))).resolves.toMatchObject([
      { apn: 'fleet.iot', homePlmn: '21407' },
    ]);
    const bad = readDeviceFile(await file(`${header}${good}8934,214070002354866,,358070094840627,,truck\n`));
    await expect(bad).rejects.toThrow(DeviceFileError);
    await expect(bad).rejects.toThrow(/^Line 3: iccid/);
    await expect(readDeviceFile(await file(`${header}"x`))).rejects.toThrow('Line 2: a quote is not closed');
  });
});
