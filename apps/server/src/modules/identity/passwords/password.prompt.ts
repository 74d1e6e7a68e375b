import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { readSecretLine } from '../../../platform/cli/index.ts';

/**
 * A password from the terminal without echo, or the first line of standard input.
 * @throws Error when there is neither
 */
export const readPassword = async ({ prompt }: { prompt: boolean }): Promise<string> => {
  if (!prompt) return readSecretLine();
  if (!process.stdin.isTTY) throw new Error('No terminal to prompt for the password: use --password-stdin');
  const mute = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: mute, terminal: true });
  try {
    process.stderr.write('Password: ');
    const password = await terminal.question('');
    process.stderr.write('\nOnce more: ');
    const repeated = await terminal.question('');
    process.stderr.write('\n');
    // The specification's words (section 5).
    if (password !== repeated) throw new Error('Passwords are different');
    return password;
  } finally {
    terminal.close();
  }
};
