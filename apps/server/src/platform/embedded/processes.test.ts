import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { commandOf, isAlive, isDefunct } from './processes.ts';

const parents: ReturnType<typeof spawn>[] = [];
afterEach(() => {
  for (const parent of parents.splice(0)) parent.kill('SIGKILL');
});

/** The process id of a child that runs until it is killed, and whose parent never reaps it. */
const uncollected = async (): Promise<number> => {
  // The shell becomes `sleep`, which does not know that it has a child.
  const parent = spawn('/bin/sh', ['-c', 'sleep 600 >&- & echo $!; exec sleep 600 >&-'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  parents.push(parent);
  const [line] = await once(parent.stdout, 'data');
  const child = Number(line);
  // Until it has become `sleep`, a shell might still reap the child; the child is a shell itself at first.
  for (const pid of [parent.pid ?? 0, child]) {
    await expect.poll(() => commandOf(pid), { timeout: 20_000, interval: 5 }).toMatch(/^sleep/);
  }
  return child;
};

test('this process is alive, a nonexistent one is not', () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isDefunct(process.pid)).toBe(false);
  // Above the largest process id on Linux.
  expect(isAlive(2 ** 22 + 1)).toBe(false);
});

test('a zombie process is not alive, although it accepts signals', async () => {
  const pid = await uncollected();
  expect(isAlive(pid)).toBe(true);
  expect(commandOf(pid)).toContain('sleep');
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isDefunct(pid), { timeout: 20_000, interval: 5 }).toBe(true);
  expect(process.kill(pid, 0)).toBe(true);
  expect(isAlive(pid)).toBe(false);
});
