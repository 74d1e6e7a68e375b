import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Where one of testing/programs lies once it is built (built-programs.ts). */
export const programPath = (name: string): string =>
  fileURLToPath(new URL(`./dist/${name}.js`, import.meta.url));

/** Runs one of testing/programs in a process of its own. @returns its exit code, or the signal that ended it */
export const runProgram = (name: string, args: readonly string[]): Promise<number | string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--enable-source-maps', programPath(name), ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 1));
  });

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Where one of the product's programs lies once it is built. */
export const mainPath = (name: 'cli' | 'server'): string => `${dist}${name}.js`;

/** Runs one of the product's programs, built (built-programs.ts), as an operator does: a process with settings of its own, and no file of them. */
export const runMain = (
  name: 'cli' | 'server',
  { env, args }: { env: Record<string, string>; args: readonly string[] },
): Promise<{ code: number | null; out: string; errors: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--enable-source-maps', mainPath(name), ...args], {
      env: { PATH: process.env['PATH'], SIMCUBE_ENV_FILE: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { out: '', errors: '' };
    child.stdout.on('data', (piece: Buffer) => {
      said.out += piece.toString();
    });
    child.stderr.on('data', (piece: Buffer) => {
      said.errors += piece.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...said }));
  });
