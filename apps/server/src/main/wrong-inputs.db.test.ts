import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBundle } from '../modules/bundle/index.ts';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../testing/app.ts';
import { bundleOf } from '../testing/bundles.ts';
import { type CommandOutput, commandLine } from '../testing/command-line.ts';
import { makeSim } from '../testing/inventory.ts';

/** Calls every command with invalid inputs: it must end with a sentence, whatever was typed. */

let test: TestApp;
let directory: string;
let simcube: ReturnType<typeof commandLine>;
/** Valid inputs for commands, by the name of the argument or option. */
let usual: Record<string, string>;

beforeAll(async () => {
  test = await testApp();
  directory = await mkdtemp(join(tmpdir(), 'simcube-inputs-'));
  simcube = commandLine(test, directory);
  const org = await makeOrganisation(test, { code: 'ACME' });
  await signedInAs(test, 'admin', org);
  const { iccid } = await makeSim(test.database.pool, org.id, { lifecycle: 'active' });
  await createBundle(test.database.pool, bundleOf({ code: 'B30' }));
  await writeFile(join(directory, 'iccids.txt'), iccid);
  usual = {
    bundle: 'B30',
    bytes: '1000',
    chain: '1',
    code: 'ACME',
    count: '1',
    country: 'DE',
    file: join(directory, 'iccids.txt'),
    host: '192.0.2.9',
    iccid,
    iccids: join(directory, 'iccids.txt'),
    id: '1',
    ids: '1',
    kept: `1:${'a'.repeat(64)}`,
    limit: '5',
    name: 'Name of something',
    network: '192.0.2.0/28',
    operation: 'suspend',
    org: 'ACME',
    organisation: 'ACME',
    reference: 'T00000001',
    size: '5',
  };
});

afterAll(async () => {
  await test.close();
  await rm(directory, { recursive: true, force: true });
});

const hostile = [
  '',
  ' ',
  '-1',
  '0',
  '1.5',
  'NaN',
  '1e999',
  '9'.repeat(30),
  'x'.repeat(100_000),
  '\u001b[31mred\u0007\r\n\tline',
  'nul \0 inside',
  'half \ud800 character',
  "'; drop table sims; --",
  '{"search": 1}',
  '../../../etc',
  '2026-02-30',
] as const;

const argumentsOf = (command: Command) => command.registeredArguments.map((argument) => argument.name());
const valuesOf = (command: Command) =>
  command.options.filter(({ required, optional }) => required || optional);

/** Options that name an output file: it is written to the test's directory, not the working directory. */
const writes = new Set(['--refused']);

/** The command with valid inputs except for one argument or option. */
const call = (name: string, command: Command, wrong: { of: string; value: string }): string[] => {
  const given = (of: string): string => (of === wrong.of ? wrong.value : (usual[of] ?? 'something'));
  const value = writes.has(wrong.of) ? `${directory}/${wrong.value}` : wrong.value;
  const options = valuesOf(command)
    .filter((option) => option.mandatory || option.long === wrong.of)
    .map((option) => `${option.long}=${option.long === wrong.of ? value : given(option.name())}`);
  return [...name.split(' '), ...options, '--', ...argumentsOf(command).map(given)];
};

/** Internals, and lines that are too long to read. */
const notForPeople =
  /ZodError|invalid_type|unrecognized_keys|"code":|constraint|violates|duplicate key|_key\b|_pkey|_check\b|SQLSTATE|\n {4}at |failed unexpectedly|undefined|\[object|errors\.\w+\.|node:/;

const expectSentence = ({ out, errors, failed }: CommandOutput, args: readonly string[]): void => {
  const what = JSON.stringify(args.map((arg) => arg.slice(0, 60)));
  expect.soft(errors, what).not.toMatch(notForPeople);
  // Control characters would reach the operator's terminal.
  expect.soft(errors, what).not.toMatch(/(?![\t\n])\p{Cc}/u);
  expect.soft(Math.max(...errors.split('\n').map((line) => line.length)), what).toBeLessThan(1200);
  if (failed) expect.soft(errors.trim(), what).not.toBe('');
  else expect.soft(out + errors, what).not.toMatch(notForPeople);
};

const leaves = () => simcube.commands;

describe('a command', () => {
  it('rejects unknown options and surplus arguments', async () => {
    for (const { name, command } of leaves()) {
      const usually = call(name, command, { of: '', value: '' });
      for (const args of [
        [...name.split(' '), '--nonsense'],
        [...name.split(' '), '--json=yes', '--nonsense=1'],
        ...(command.registeredArguments.some(({ variadic }) => variadic)
          ? []
          : [[...usually, 'one', 'more']]),
      ]) {
        const said = await simcube.run(args);
        expect(said.failed, args.join(' ')).toBe(true);
        expectSentence(said, args);
      }
    }
  });

  it('rejects a missing argument or option', async () => {
    for (const { name, command } of leaves()) {
      const needs = command.registeredArguments.some(({ required }) => required);
      if (!needs && !command.options.some(({ mandatory }) => mandatory)) continue;
      const said = await simcube.run(name.split(' '));
      expect(said.failed, name).toBe(true);
      expectSentence(said, [name]);
    }
  });

  it('reports any invalid argument or option in a sentence', async () => {
    for (const { name, command } of leaves()) {
      for (const of of [...argumentsOf(command), ...valuesOf(command).map(({ long }) => long ?? '')]) {
        for (const value of hostile) {
          const args = call(name, command, { of, value });
          expectSentence(await simcube.run(args, { stdin: 'a shared secret\n' }), args);
        }
      }
    }
  }, 600_000);

  it.each(['--limit', '--size', '--count', '--seats', '--sub-organisations', '--interim'])(
    'rejects a value that is not a number for %s',
    async (option) => {
      for (const { name, command } of leaves()) {
        if (!command.options.some(({ long }) => long === option)) continue;
        for (const value of ['', ' ', '-1', '1.5', 'NaN', '1e999', '9'.repeat(30), 'x'.repeat(100_000)]) {
          const args = call(name, command, { of: option, value });
          const said = await simcube.run(args, { stdin: 'a shared secret\n' });
          expect(said.failed, JSON.stringify(args).slice(0, 200)).toBe(true);
          expectSentence(said, args);
        }
      }
    },
  );
});
