import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AttributeWriter, openRadiusClient, radiusCode } from '@simcube/radius';
import { cpuSecondsAlone, peakBytesOf } from './processes.ts';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
/** The same flags as in scripts/setup.mjs. */
const nodeFlags = ['--enable-source-maps', '--min-semi-space-size=16', '--max-semi-space-size=32'];
const commandFlags = [...nodeFlags, '--heap-growing-percent=50'];

/** Settings of an installation, as an operator would choose them. */
export interface Installation {
  databaseUrl: string;
  dataDir: string;
  /** 64 hexadecimal digits. */
  secretKey: string;
  /** The built project whose programs it runs; this one by default. */
  project?: string;
}

const programPath = (name: 'server' | 'cli', project = projectRoot): string =>
  join(project, 'apps/server/dist', `${name}.js`);

export interface Product {
  pid: number;
  url: string;
  acctPort: number;
  /** Stops it, or kills it as in a crash. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** TCP port of the console; UDP ports of authentication and accounting. */
export interface Ports {
  http: number;
  auth: number;
  acct: number;
}

export const freePorts = async (): Promise<Ports> => ({
  http: await freeTcpPort(),
  auth: await freeUdpPort(),
  acct: await freeUdpPort(),
});

export interface ProductOptions extends Installation {
  roles: string;
  /** Ports of a previous process; free ones by default. */
  ports?: Ports;
  /** Secret of a known RADIUS client at 127.0.0.1, for checking whether the AAA role responds. */
  radiusSecret?: string;
  /** Directory for a processor profile. */
  profile?: string | undefined;
  /** Additional environment variables. */
  settings?: Readonly<Record<string, string>>;
}

/** Environment variables of an installation's programs. */
export const environment = ({ databaseUrl, dataDir, secretKey }: Installation): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'production',
  SIMCUBE_ENV_FILE: '',
  DATABASE_URL: databaseUrl,
  SIMCUBE_DATA_DIR: dataDir,
  SIMCUBE_SECRET_KEY: secretKey,
  SIMCUBE_DEMO: '0',
  SIMCUBE_LOG_LEVEL: 'warn',
  // The rate limit is meant for people; a measurement makes more calls.
  SIMCUBE_REQUESTS_PER_MINUTE: '1000000',
});

const startTimeoutMs = 60_000;

/** Starts the built server as a separate process, exactly as in production. */
export const startProduct = async (options: ProductOptions): Promise<Product> => {
  const { dataDir, roles, profile, radiusSecret, project } = options;
  const { http, auth, acct } = options.ports ?? (await freePorts());
  mkdirSync(dataDir, { recursive: true });
  const logFile = join(dataDir, 'server.log');
  const output = openSync(logFile, 'a');
  const command = [...profileFlags(profile), ...nodeFlags, programPath('server', project)];
  const child = spawn(process.execPath, command, {
    cwd: project ?? projectRoot,
    stdio: ['ignore', output, output],
    env: {
      ...environment(options),
      SIMCUBE_ROLES: roles,
      SIMCUBE_PORT: String(http),
      SIMCUBE_MANAGEMENT_PORT: '0',
      SIMCUBE_STRICT_PORTS: '1',
      SIMCUBE_RADIUS_AUTH_PORT: String(auth),
      SIMCUBE_RADIUS_ACCT_PORT: String(acct),
      ...options.settings,
    },
  });
  closeSync(output);
  const exited = once(child, 'exit');
  const failed = exited.then(() => {
    throw new Error(`The server ended:\n${readFileSync(logFile, 'utf8').slice(-2000)}`);
  });
  // Used only in a race; a requested end is not a failure.
  failed.catch(() => undefined);
  const url = `http://127.0.0.1:${http}`;
  if (roles.includes('web')) await Promise.race([waitUntilAnswering(() => isReady(url)), failed]);
  if (roles.includes('aaa') && radiusSecret !== undefined) {
    await Promise.race([waitUntilAnswering(() => respondsToStatus(acct, radiusSecret)), failed]);
  }
  return {
    pid: child.pid ?? 0,
    url,
    acctPort: acct,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await exited;
    },
  };
};

const profileFlags = (directory: string | undefined): string[] =>
  directory ? ['--cpu-prof', `--cpu-prof-dir=${directory}`] : [];

const waitUntilAnswering = async (isAnswering: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + startTimeoutMs;
  while (performance.now() < end) {
    if (await isAnswering()) return;
    await sleep(50);
  }
  throw new Error('The server did not come up');
};

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** RFC 5997. */
const respondsToStatus = async (port: number, secret: string): Promise<boolean> => {
  const client = await openRadiusClient({
    host: '127.0.0.1',
    port,
    secret: Buffer.from(secret),
    maxRetransmissions: 0,
    initialTimeoutMs: 300,
  });
  const answer = await client.send({
    code: radiusCode.statusServer,
    attributes: new AttributeWriter(),
    messageAuthenticator: true,
  });
  await client.close();
  return answer.ok;
};

/** Runs the operator's command line with these settings to its end, successful or not. */
export const runSimcube = (
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  { profile, project }: { profile?: string | undefined; project?: string | undefined } = {},
) => {
  const command = [...profileFlags(profile), ...commandFlags, programPath('cli', project), ...args];
  const maxBuffer = 64 * 1024 * 1024;
  const cwd = project ?? projectRoot;
  return spawnSync(process.execPath, command, { cwd, encoding: 'utf8', env, maxBuffer });
};

/** Runs the operator's command line, with a processor profile if a path is given. @returns its output */
export const simcube = (installation: Installation, args: string[], profile?: string): string => {
  const { project } = installation;
  const { status, stdout, stderr } = runSimcube(environment(installation), args, { profile, project });
  if (status !== 0) throw new Error(`simcube ${args.slice(0, 2).join(' ')} failed: ${stderr.slice(-2000)}`);
  return stdout;
};

/** The same, asynchronously. @returns its output and peak resident memory */
export const runSimcubeMeasured = async (
  installation: Installation,
  { args, profile }: { args: string[]; profile: string | undefined },
): Promise<{ output: string; peakBytes: number; cpuSeconds: number }> => {
  const child = spawn(
    process.execPath,
    [...profileFlags(profile), ...commandFlags, programPath('cli'), ...args],
    {
      cwd: projectRoot,
      env: environment(installation),
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const pid = child.pid ?? 0;
  const peak = { peakBytes: 0, cpuSeconds: 0 };
  const watch = setInterval(() => {
    peak.peakBytes = Math.max(peak.peakBytes, peakBytesOf(pid));
    peak.cpuSeconds = Math.max(peak.cpuSeconds, cpuSecondsAlone(pid));
  }, 100);
  const [code] = await exited.finally(() => clearInterval(watch));
  if (code !== 0) throw new Error(`simcube ${args.slice(0, 2).join(' ')} ended with ${code}`);
  return { output, ...peak };
};

export const freeTcpPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('No free port');
  return address.port;
};

export const freeUdpPort = async (): Promise<number> => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
};
