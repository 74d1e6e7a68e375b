import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const TEXT2PCAP = '/usr/bin/text2pcap';
const TSHARK = '/usr/bin/tshark';

export const isTsharkInstalled = existsSync(TEXT2PCAP) && existsSync(TSHARK);

const run = promisify(execFile);

/** Output of Wireshark's dissector: for each PDU, its lines of `-O smpp`, without indentation. */
export async function dissect(pdus: readonly Buffer[]): Promise<string[][]> {
  const directory = await mkdtemp(join(tmpdir(), 'simcube-tshark-'));
  try {
    const [text, capture] = [join(directory, 'pdus.txt'), join(directory, 'pdus.pcap')];
    const dump = pdus.map((pdu) => `000000 ${pdu.toString('hex').replace(/../g, '$& ')}\n`);
    await writeFile(text, dump.join('\n'));
    await run(TEXT2PCAP, ['-q', '-T', '40000,2775', text, capture]);
    const { stdout } = await run(TSHARK, ['-r', capture, '-d', 'tcp.port==2775,smpp', '-O', 'smpp']);
    return stdout
      .split(/^Frame \d+:.*$/m)
      .slice(1)
      .map((frame) => frame.split('\n').map((line) => line.trimStart()));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
