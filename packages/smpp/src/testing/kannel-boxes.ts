import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const BEARERBOX = '/usr/sbin/bearerbox';

/** Programs of Kannel (boxes) with their own directory. */
export interface KannelBoxes {
  /** @returns the path of the file */
  write(name: string, content: string): Promise<string>;
  /** Starts a program with a configuration, and waits until its log matches `isReady`. */
  start(program: string, config: string, isReady: RegExp): Promise<void>;
  /** Suspends a program until it is killed. */
  stall(program: string): void;
  /** Kills a program, as in a crash. */
  kill(program: string): Promise<void>;
  log(): string;
  stop(): Promise<void>;
}

export async function openKannelBoxes(): Promise<KannelBoxes> {
  const directory = await mkdtemp(join(tmpdir(), 'simcube-kannel-'));
  const running = new Map<string, ChildProcess>();
  let log = '';
  const start = (program: string, config: string, isReady: RegExp): Promise<void> => {
    const child = spawn(program, ['-v', '0', config], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
    running.set(program, child);
    let own = '';
    return new Promise((resolve, reject) => {
      const look = (chunk: Buffer): void => {
        log = (log + chunk.toString()).slice(-200_000);
        own = (own + chunk.toString()).slice(-50_000);
        if (isReady.test(own)) resolve();
      };
      child.stdout?.on('data', look);
      child.stderr?.on('data', look);
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`${program} did not start\n${log}`)));
    });
  };
  const kill = async (program: string): Promise<void> => {
    const child = running.get(program);
    running.delete(program);
    if (child) await ended(child);
  };
  return {
    write: async (name, content) => {
      const path = join(directory, name);
      await writeFile(path, content);
      return path;
    },
    start,
    stall: (program) => void running.get(program)?.kill('SIGSTOP'),
    kill,
    log: () => log,
    stop: async () => {
      for (const program of [...running.keys()].toReversed()) await kill(program);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

/** A port below the ephemeral range, so that a killed program finds it free when it is restarted. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return freePort();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
