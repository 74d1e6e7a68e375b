import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const programs = fileURLToPath(new URL('./programs/', import.meta.url));

/** Runs one of testing/programs in a process of its own. @returns its exit code, or the signal that ended it */
export const runProgram = (name: string, args: readonly string[]): Promise<number | string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', `${programs}${name}.ts`, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 1));
  });
