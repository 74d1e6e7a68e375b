import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = join(dirname(fileURLToPath(import.meta.url)), 'scratch.mjs');
let memory;

beforeEach(() => {
  memory = mkdtempSync(join(tmpdir(), 'simcube-memory-'));
});
afterEach(() => rmSync(memory, { recursive: true, force: true }));

/** Output and process id of a process that uses it. */
const runWithScratch = (options, code) => {
  const text = `
    import { useScratchInMemory } from ${JSON.stringify(script)};
    import { existsSync, writeFileSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    useScratchInMemory(${JSON.stringify({ memory, needed: 1, ...options })});
    ${code}`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', text], { encoding: 'utf8' });
};
const printDirectory = 'console.log(tmpdir());';

test('temporary files are in memory, and removed with the process', () => {
  const { stdout, pid } = runWithScratch({}, `writeFileSync(tmpdir() + '/file', ''); ${printDirectory}`);
  expect(dirname(stdout.trim())).toBe(memory);
  expect(stdout).toContain(`simcube-tests-${pid}-`);
  expect(readdirSync(memory)).toEqual([]);
});

test('files of a killed process are removed by the next one, and nothing else', () => {
  const killed = runWithScratch(
    {},
    `writeFileSync(tmpdir() + '/file', ''); process.kill(process.pid, 'SIGKILL');`,
  );
  expect(readdirSync(memory)).toEqual([expect.stringContaining(`simcube-tests-${killed.pid}-`)]);
  const alive = join(memory, `simcube-tests-${process.pid}-alive`);
  mkdirSync(alive);
  writeFileSync(join(memory, 'PostgreSQL.1'), '');
  runWithScratch({}, '');
  expect(readdirSync(memory).toSorted()).toEqual(['PostgreSQL.1', `simcube-tests-${process.pid}-alive`]);
  expect(existsSync(alive)).toBe(true);
});

test('without enough memory, temporary files stay in the default directory', () => {
  const where = tmpdir();
  expect(runWithScratch({ needed: Number.MAX_SAFE_INTEGER }, printDirectory).stdout.trim()).toBe(where);
  expect(runWithScratch({ memory: join(memory, 'none') }, printDirectory).stdout.trim()).toBe(where);
});
