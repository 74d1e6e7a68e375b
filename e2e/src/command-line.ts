import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs an operator's command while the server is running. @returns its output; throws if the command fails */
export const simcube = async (...args: string[]): Promise<string> => {
  const command = [join(root, 'apps/server/dist/cli.js'), ...args];
  const env = {
    ...process.env,
    SIMCUBE_ENV_FILE: '',
    SIMCUBE_DATA_DIR: process.env['SIMCUBE_E2E_DATA_DIR'],
  };
  return (await promisify(execFile)(process.execPath, command, { env })).stdout;
};
