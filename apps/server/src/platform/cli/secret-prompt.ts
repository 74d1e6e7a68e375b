import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

const longestSecret = 1000;

/**
 * A secret: asked for without echo at a terminal, else the first line of standard input. Never an argument,
 * which others on the machine could see.
 */
export const readSecret = async (label: string): Promise<string> => {
  if (!process.stdin.isTTY) return firstLine();
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

const firstLine = async (): Promise<string> => {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('\n') || text.length > longestSecret) break;
  }
  return text.split('\n', 1)[0]?.replace(/\r$/, '') ?? '';
};
