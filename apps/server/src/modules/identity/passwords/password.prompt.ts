import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { readSecretLine } from '../../../platform/cli/index.ts';

/**
 * A password from the terminal without echo, or the first line of standard input.
 * @throws Error when there is neither
 */
export const readPassword = async ({ ask }: { ask: boolean }): Promise<string> => {
  if (!ask) return readSecretLine();
  if (!process.stdin.isTTY) throw new Error('No terminal to prompt for the password: use --password-stdin');
  const mute = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: mute, terminal: true });
  try {
    process.stderr.write('Password: ');
    const once = await terminal.question('');
    process.stderr.write('\nOnce more: ');
    const again = await terminal.question('');
    process.stderr.write('\n');
    // The specification's words (section 5).
    if (once !== again) throw new Error('Passwords are different');
    return once;
  } finally {
    terminal.close();
  }
};
