import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Path of the build of one of testing/programs (built-programs.ts). */
export const programPath = (name: string): string =>
  fileURLToPath(new URL(`./dist/${name}.js`, import.meta.url));

/**
 * Runs one of testing/programs in a separate process.
 * @returns its exit code, or the signal that ended it
 */
export const runProgram = (name: string, args: readonly string[]): Promise<number | string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--enable-source-maps', programPath(name), ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 1));
  });

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Path of the build of one of the product's programs. */
export const mainPath = (name: 'cli' | 'server'): string => `${dist}${name}.js`;

/**
 * Runs the build of one of the product's programs (built-programs.ts) as an operator does: a separate process
 * with its own settings, and no settings file.
 */
export const runMain = (
  name: 'cli' | 'server',
  { env, args }: { env: Record<string, string>; args: readonly string[] },
): Promise<{ code: number | null; out: string; errors: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--enable-source-maps', mainPath(name), ...args], {
      env: { PATH: process.env['PATH'], SIMCUBE_ENV_FILE: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { out: '', errors: '' };
    child.stdout.on('data', (piece: Buffer) => {
      output.out += piece.toString();
    });
    child.stderr.on('data', (piece: Buffer) => {
      output.errors += piece.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
