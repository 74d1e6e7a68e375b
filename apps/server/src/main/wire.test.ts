import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@simcube/contract';
import { taskTypes } from '@simcube/contract/task';
import { expect, test } from 'vitest';
import { cronItemsOf } from '../platform/jobs/index.ts';
import { sendMailJob } from '../platform/mail/index.ts';
import { inertWiring } from '../testing/house/registered-routes.ts';
import { createProgram } from './program.ts';

const wiring = inertWiring();

/** Sources of the modules and of main. */
const sources = ['../modules', '../platform', '.'].flatMap((folder) => {
  const root = join(import.meta.dirname, folder);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
});

/** Names passed to `define` in the sources, in order. */
const defined = (define: string): string[] =>
  inOrder(
    sources.flatMap(({ text }) =>
      [...text.matchAll(new RegExp(`\\b${define}\\(\\{\\s*name: '([^']+)'`, 'g'))].map(
        ([, name = '']) => name,
      ),
    ),
  );

const inOrder = <N>(names: readonly N[]): N[] => names.toSorted();

test('every scheduled job has a valid cron pattern', () => {
  const timed = wiring.jobs.filter(({ job }) => job.cron !== undefined);
  expect(cronItemsOf(wiring.jobs)).toHaveLength(timed.length);
});

test('every defined job has one handler', () => {
  const jobs = wiring.jobs.map(({ job }) => job.name);
  // The mails' settings come from the environment: each role adds their job itself.
  expect(inOrder([...jobs, sendMailJob.name])).toEqual(defined('define(?:Job|Schedule)'));
});

test('every defined consumer is registered once', () => {
  const consumers = wiring.consumers.map(({ name }) => name);
  expect(inOrder(consumers)).toEqual(defined('define(?:Batch)?Consumer'));
});

test('every type of task has an operation, a file work or an import command', () => {
  const types = [...wiring.operations, ...wiring.fileWorks].map(({ type }) => type);
  const imported = ['sim-import', 'cdr-import'];
  expect([...types, ...imported].toSorted()).toEqual([...taskTypes].toSorted());
});

test('every group of commands is registered', () => {
  const areas = sources
    .filter(({ name }) => name.endsWith('.cli.ts'))
    .flatMap(({ text }) => [...text.matchAll(/\bprogram\s*\.command\('([a-z-]+)'/g)].map(([, name]) => name));
  const open = () => Promise.reject(new Error('nothing is opened'));
  const program = createProgram(open, open);
  expect(program.commands.map((command) => command.name()).toSorted()).toEqual(areas.toSorted());
});

/** Domains of the contract that belong to a module with another name. */
const moduleOf: Record<string, string> = { account: 'identity' };

test('a module serves the calls of its own domain only', () => {
  const served = sources
    .filter(({ name }) => name.endsWith('.routes.ts'))
    .flatMap(({ name, text }) => {
      const [named] = [...text.matchAll(/const \{ ([\w, :]+) \} = endpoints;/g)];
      const domains = named
        ? (named[1] ?? '').split(',').map((one) => one.split(':')[0]?.trim() ?? '')
        : [...text.matchAll(/\bendpoints\.(\w+)/g)].map(([, domain = '']) => domain);
      return domains.map((domain) => ({ file: name, module: name.split('/')[0], domain }));
    });
  expect(new Set(served.map(({ domain }) => domain))).toEqual(new Set(Object.keys(endpoints)));
  expect(served.filter(({ module, domain }) => module !== (moduleOf[domain] ?? domain))).toEqual([]);
});
