import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startTestAaa, testSecret } from '../testing/test-aaa.ts';

// Built by the set-up of these tests (apps/server/src/testing/built-programs.ts).
const program = fileURLToPath(new URL('../../dist/main/network-sim.js', import.meta.url));

interface Running {
  output: () => string;
  errors: () => string;
  kill: (signal: 'SIGTERM' | 'SIGINT') => void;
  ended: Promise<unknown[]>;
}

function start(...args: string[]): Running {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, SIMCUBE_SIM_SECRET: testSecret.toString() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return {
    output: () => output,
    errors: () => errors,
    kill: (signal) => child.kill(signal),
    ended: once(child, 'close'),
  };
}

describe('the program', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends cleanly on %s: sessions stopped, Accounting-Off',
    async (signal) => {
      const { promise: started, resolve } = deferred();
      const aaa = await startTestAaa({
        acknowledges: ({ status }) => {
          if (status === 'start') resolve();
          return true;
        },
      });
      const running = start(
        ...['--auth-port', String(aaa.authPort), '--acct-port', String(aaa.acctPort)],
        ...['--coa-port', '0', '--speed', '600', '--max-active', '20'],
      );
      await started;
      running.kill(signal);
      expect(await running.ended, running.errors()).toEqual([0, null]);
      const of = (status: string): number =>
        aaa.acknowledged.filter((record) => record.status === status).length;
      expect(of('start')).toBe(of('stop'));
      expect(aaa.acknowledged.at(-1)?.status).toBe('off');
      expect(aaa.faults).toEqual([]);
      expect(running.output()).toContain('"msg":"network simulator stopped"');
      expect(running.output()).not.toContain(testSecret.toString());
      await aaa.close();
    },
  );

  it('reports a missing secret without a stack trace', async () => {
    const running = start('--secret-env', 'SIMCUBE_NO_SUCH_SECRET');
    expect(await running.ended).toEqual([1, null]);
    expect(running.errors()).toContain('No RADIUS secret: set SIMCUBE_NO_SUCH_SECRET');
    expect(running.errors()).not.toContain('    at ');
  });

  it('ends, and has sent nothing, when it can’t start', async () => {
    const aaa = await startTestAaa({ acknowledges: () => true });
    const taken = createSocket('udp4').bind(0, '127.0.0.1');
    await once(taken, 'listening');
    const ports = ['--auth-port', String(aaa.authPort), '--acct-port', String(aaa.acctPort)];
    const starts = [
      start(...ports, '--coa-port', '0', '--smsc-port', '0'),
      start(...ports, '--coa-port', String(taken.address().port)),
    ];
    for (const { ended } of starts) expect(await ended).toEqual([1, null]);
    expect(starts[0]?.errors()).toContain('with --smsc-secret-file');
    expect(starts[1]?.errors()).toContain('EADDRINUSE');
    expect(aaa.acknowledged).toEqual([]);
    taken.close();
    await aaa.close();
  });

  it('refuses a duration that no timer can wait for', async () => {
    const running = start('--duration', '2592000');
    expect(await running.ended).toEqual([1, null]);
    expect(running.errors()).toContain('Expected a whole number from 1 to 2147483.');
  });

  it('writes the same lists for the same seed', async () => {
    const lists = [0, 1].map(() =>
      start('history', '--count', '20', '--days', '5', '--until', '2025-06-01T00:00:00Z'),
    );
    await Promise.all(lists.map(({ ended }) => ended));
    const [one, two] = lists.map(({ output }) => output());
    expect(one?.split('\n').length).toBeGreaterThan(100);
    expect(two).toBe(one);
  });
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
