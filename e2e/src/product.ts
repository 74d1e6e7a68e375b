import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Includes making the demonstration's data, which other tests and a slow machine can make several times as long. */
const startTimeoutMs = 900_000;

/** URL of the product; set in the environment of the test processes. */
export const productUrl = (): string => process.env['SIMCUBE_E2E_URL'] ?? '';

/**
 * Starts the product as a new user does (`npm start`, with a separate data directory and ports), including the demonstration
 * and the network simulator. @returns a function that stops it like Ctrl-C
 */
const startProduct = async (): Promise<() => Promise<void>> => {
  // Uses a product that is already running, if its URL is set (the other three variables of this file must be set too).
  if (productUrl() !== '') return async () => undefined;
  const dataDir = await mkdtemp(join(tmpdir(), 'simcube-e2e-'));
  // Accessible for the user that the database runs as if this process is root; otherwise its files would never be removed.
  await chmod(dataDir, 0o755);
  const product = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ports near these, unchanged after a restart, so that an open page keeps its address.
    env: {
      ...process.env,
      // The developer's settings must not affect the tests.
      SIMCUBE_ENV_FILE: '',
      SIMCUBE_DATA_DIR: dataDir,
      SIMCUBE_PORT: '18080',
      SIMCUBE_RADIUS_AUTH_PORT: '18120',
      SIMCUBE_RADIUS_ACCT_PORT: '18130',
      SIMCUBE_LOG_FORMAT: 'json',
      SIMCUBE_REQUESTS_PER_MINUTE: '100000',
    },
  });
  const ended = new Promise<void>((resolve) => product.once('exit', () => resolve()));
  const ready = await waitUntilReady(product).catch(async (error: unknown) => {
    product.kill('SIGINT');
    await ended;
    throw error;
  });
  // Other tests may still run while the product starts: the program that runs them closes the input when they are done.
  if (process.env['SIMCUBE_E2E_HELD']) await once(process.stdin.resume(), 'end');
  process.env['SIMCUBE_E2E_URL'] = ready.url;
  process.env['SIMCUBE_E2E_PID'] = String(product.pid);
  process.env['SIMCUBE_E2E_DATA_DIR'] = dataDir;
  process.env['SIMCUBE_E2E_AUTH_PORT'] = String(ready.radius.authPort);
  process.env['SIMCUBE_E2E_ACCT_PORT'] = String(ready.radius.acctPort);
  return async () => {
    product.kill('SIGINT');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
};

/** Kills the server process, as in a crash, but not the program that started it. */
export const killServer = async (): Promise<void> => {
  const parent = process.env['SIMCUBE_E2E_PID'] ?? '';
  const children = (await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8')).trim().split(' ');
  for (const pid of children) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    if (command.includes('dist/server.js')) process.kill(Number(pid), 'SIGKILL');
  }
};

interface Ready {
  url: string;
  radius: { authPort: number; acctPort: number };
}

/** Reads from the server's log where it listens. */
const waitUntilReady = (product: ReturnType<typeof spawn>): Promise<Ready> =>
  new Promise((resolve, reject) => {
    const tail: string[] = [];
    const failed = (reason: string) => reject(new Error(`${reason}\n${tail.slice(-30).join('\n')}`));
    const timer = setTimeout(() => failed('The product did not start in time'), startTimeoutMs);
    product.once('exit', () => failed('The product ended before it was ready'));
    if (!product.stdout) return failed('No output');
    createInterface({ input: product.stdout }).on('line', (line) => {
      tail.push(line);
      const record = parseRecord(line);
      if (record?.msg !== 'ready') return;
      clearTimeout(timer);
      resolve(record);
    });
  });

const parseRecord = (line: string): (Ready & { msg?: string }) | undefined => {
  try {
    return JSON.parse(line) as Ready & { msg?: string };
  } catch {
    return undefined;
  }
};

export default startProduct;
