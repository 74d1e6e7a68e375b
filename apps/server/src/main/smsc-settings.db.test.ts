import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../testing/app.ts';
import { commandLine } from '../testing/command-line.ts';

let test: TestApp;
let directory: string;
let simcube: ReturnType<typeof commandLine>;

beforeAll(async () => {
  test = await testApp();
  directory = await mkdtemp(join(tmpdir(), 'simcube-smsc-'));
  simcube = commandLine(test, directory);
  await add('--host', '192.0.2.9', '--system-id', 'cube', '--no-password');
});
afterAll(async () => {
  await test.close();
  await rm(directory, { recursive: true });
});

const add = (...options: string[]) => simcube.run(['smsc', 'add', 'strict', ...options]);
const listed = async () => {
  const text = (await simcube.run(['smsc', 'list'])).out.trimEnd();
  const [settings] = JSON.parse((await simcube.run(['smsc', 'list', '--json'])).out) as object[];
  return { text, settings };
};

/** Each setting as the option of its name. */
const optionsOf = (settings: Record<string, string | number | null>) =>
  Object.entries(settings).map(([name, value]) => `--${name.replaceAll('_', '-')}=${value ?? 'auto'}`);

const byDefault = {
  system_type: '',
  service_type: '',
  address_range: '',
  address_range_ton: 0,
  address_range_npi: 0,
  source_ton: null,
  source_npi: null,
  alphanumeric_ton: null,
  alphanumeric_npi: null,
  destination_ton: null,
  destination_npi: null,
};
const required = {
  system_type: 'M2M',
  service_type: 'CMT',
  source_ton: 0,
  source_npi: 18,
  alphanumeric_ton: 5,
  alphanumeric_npi: 9,
  destination_ton: 1,
  destination_npi: 8,
  address_range: '^49',
  address_range_ton: 1,
  address_range_npi: 6,
};

it('the list shows what an SMSC requires in binds and submits, and options change it back', async () => {
  const line = 'strict\t192.0.2.9:2775\ttransceiver\t0\t50';
  expect(await listed()).toEqual({ text: line, settings: expect.objectContaining(byDefault) });
  await add(...optionsOf(required));
  const words = Object.entries(required).map(([name, value]) => `${name}=${value}`);
  expect(await listed()).toEqual({
    text: `${line}\t${words.join(' ')}`,
    settings: expect.objectContaining(required),
  });
  await add(...optionsOf(byDefault));
  expect(await listed()).toEqual({ text: line, settings: expect.objectContaining(byDefault) });
});

it.each([
  ['--priority', '', '1000'],
  ['--rate', '1e2', '100000'],
  ['--source-ton', '7', '6'],
  ['--source-ton', '', 'auto'],
  ['--alphanumeric-ton', '-1', 'auto'],
  ['--source-npi', '2', '18'],
  ['--destination-npi', '19', '18'],
  ['--address-range-ton', 'auto', '6'],
  ['--address-range-npi', '5', '18'],
  ['--service-type', 'CMTCMT', '5'],
  ['--service-type', 'é', '--service-type'],
  ['--system-type', 'M'.repeat(13), '12'],
  ['--address-range', '4'.repeat(41), '40'],
])('%s %s is refused, and the error says what is allowed', async (option, value, allowed) => {
  const before = await listed();
  const { failed, errors } = await add(`${option}=${value}`);
  expect({ failed, errors }).toEqual({ failed: true, errors: expect.stringContaining(option) });
  expect(errors).toContain(allowed);
  expect(await listed()).toEqual(before);
});
