import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mainPath } from './run-program.ts';

export interface ServerProcessOptions {
  databaseUrl: string;
  directory: string;
  secretKey: Buffer;
  roles: string;
  env?: Record<string, string>;
}

/** The server as in production, in a separate process; its secrets are the test's. */
export const startServerProcess = ({
  databaseUrl,
  directory,
  secretKey,
  roles,
  env,
}: ServerProcessOptions): ChildProcess =>
  spawn(process.execPath, [mainPath('server')], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      SIMCUBE_ENV_FILE: '',
      SIMCUBE_DEMO: '0',
      SIMCUBE_ROLES: roles,
      SIMCUBE_STRICT_PORTS: '1',
      DATABASE_URL: databaseUrl,
      SIMCUBE_DATA_DIR: directory,
      SIMCUBE_SECRET_KEY: secretKey.toString('hex'),
      SIMCUBE_MANAGEMENT_PORT: '0',
      ...env,
    },
  });

export const killServer = async (server: ChildProcess): Promise<void> => {
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
};
