import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Enough for any password; more is a file by mistake. */
const longestLine = 1000;

/**
 * A password from the terminal, not shown while it is typed, or the first line of standard input.
 * @throws Error when there is neither
 */
export const readPassword = async ({ ask }: { ask: boolean }): Promise<string> => {
  if (!ask) return firstLine();
  if (!process.stdin.isTTY) throw new Error('No terminal to ask for the password: use --password-stdin');
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

const firstLine = async (): Promise<string> => {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('\n') || text.length > longestLine) break;
  }
  return text.split('\n', 1)[0]?.replace(/\r$/, '') ?? '';
};
