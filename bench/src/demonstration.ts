import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freeTcpPort, freeUdpPort, projectRoot } from './product.ts';

export interface Demonstration {
  url: string;
  /** Stops all of it, like Ctrl-C. */
  stop(): Promise<void>;
}

interface DemonstrationOptions {
  /** Data directory; with files of an earlier start, it is a warm start. */
  dataDir: string;
  timeoutMs: number;
  /** Another checkout of the product. */
  checkout?: string;
}

/** Runs `npm start`, including the network simulator, until the first page and its calls respond. */
export const startDemonstration = async ({
  dataDir,
  timeoutMs,
  checkout = projectRoot,
}: DemonstrationOptions): Promise<Demonstration> => {
  const [port, auth, acct] = [await freeTcpPort(), await freeUdpPort(), await freeUdpPort()];
  const end = performance.now() + timeoutMs;
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    stdio: 'ignore',
    // A separate process group, so that all of it can be stopped, like with Ctrl-C.
    detached: true,
    env: {
      ...process.env,
      SIMCUBE_ENV_FILE: '',
      SIMCUBE_DATA_DIR: dataDir,
      SIMCUBE_PORT: String(port),
      SIMCUBE_RADIUS_AUTH_PORT: String(auth),
      SIMCUBE_RADIUS_ACCT_PORT: String(acct),
    },
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGINT');
    await exited;
    await waitUntilDatabaseStopped(dataDir);
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitForFirstPage(child, url, end);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const waitForFirstPage = async (child: ChildProcess, url: string, end: number): Promise<void> => {
  while (performance.now() < end) {
    if (child.exitCode !== null) throw new Error('npm start ended before the first page');
    const answers = await Promise.all(
      ['/readyz', '/en-US/login'].map((path) => fetch(`${url}${path}`).then(({ ok }) => ok)),
    ).catch(() => [false]);
    if (answers.every(Boolean)) return;
    await sleep(20);
  }
  throw new Error('npm start did not come to its first page');
};

/**
 * npm may end before the processes that it started. Stops a database left running by a crashed server, so that the
 * measurement leaves nothing behind.
 */
const waitUntilDatabaseStopped = async (dataDir: string): Promise<void> => {
  const lock = join(dataDir, 'postgres/postmaster.pid');
  for (let tries = 0; tries < 200; tries += 1) {
    if (!existsSync(lock)) return;
    await sleep(50);
  }
  const pid = Number((await readFile(lock, 'utf8').catch(() => '')).split('\n')[0]);
  if (pid > 0) process.kill(pid, 'SIGINT');
  while (existsSync(lock)) await sleep(50);
  throw new Error('The server ended without stopping its database');
};
