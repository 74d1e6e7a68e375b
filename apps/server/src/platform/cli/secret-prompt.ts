import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { isBrokenText } from '@simcube/contract';

interface NewSecretSource {
  isStdin: boolean;
  read?: (label: string) => Promise<string>;
  isTerminal?: boolean;
}

const maxSecretLength = 1000;

/**
 * Reads a secret: at a terminal from a prompt without echo, otherwise from the first line of standard input.
 * Never an argument, which others on the machine could see.
 */
export const readSecret = async (label: string): Promise<string> => {
  if (!process.stdin.isTTY) return readSecretLine();
  const mute = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: mute, terminal: true });
  try {
    process.stderr.write(`${label}: `);
    return await terminal.question('');
  } finally {
    process.stderr.write('\n');
    terminal.close();
  }
};

/**
 * Reads a new secret at a terminal, twice, because a typing error would lock the other side out; elsewhere only
 * if standard input is said to be one: otherwise it may be the script or the list that calls the command.
 * @returns undefined to keep the present secret
 */
export const readNewSecret = async (
  label: string,
  { isStdin, read = readSecret, isTerminal = process.stdin.isTTY }: NewSecretSource,
): Promise<string | undefined> => {
  if (!isStdin && !isTerminal) return undefined;
  const secret = await read(label);
  if (secret === '' && isStdin) throw new Error('No secret was entered: nothing was changed');
  if (secret === '') return undefined;
  if (isTerminal && (await read('The same again')) !== secret)
    throw new Error('The two entries differ: nothing was changed');
  return secret;
};

/** The first line of standard input. */
export const readSecretLine = async (): Promise<string> => {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('\n') || text.length > maxSecretLength) break;
  }
  return secretOf(text.split('\n', 1)[0] ?? '');
};

/**
 * A secret from its line in a pipe or file, without the byte order mark and line end that Windows programs
 * write.
 * @throws Error if it is not UTF-8: replacing invalid characters would make it differ from the other side's
 * secret
 */
export const secretOf = (line: string): string => {
  const secret = line.replace(/^\uFEFF/, '').replace(/\r?\n?$/, '');
  if (isBrokenText(secret)) throw new Error('The secret is not UTF-8');
  return secret;
};
