import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { kannelConfiguration } from '@simcube/smpp/testing/kannel';
import { freeTcpPort } from './product.ts';
import { type BenchSmsc, smscAccount } from './sms-smsc.ts';

const [bearerbox, mtbatch] = ['/usr/sbin/bearerbox', '/usr/bin/mtbatch'];

/** Debian's package `kannel`. */
export const isKannelInstalled = (): boolean => existsSync(bearerbox) && existsSync(mtbatch);

export interface KannelOptions {
  smsc: BenchSmsc;
  directory: string;
  messages: number;
  window: number;
}

/** The baseline: Kannel sends messages without storing them. @returns messages per second, from the first submit to the last */
export const measureKannelRate = async ({
  smsc,
  directory,
  messages,
  window,
}: KannelOptions): Promise<number> => {
  const [adminPort, boxPort] = [await freeTcpPort(), await freeTcpPort()];
  const [config, content, receivers] = ['kannel.conf', 'content', 'receivers'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  await writeFile(
    config,
    kannelConfiguration({ smscPort: smsc.port, adminPort, boxPort, window, account: smscAccount }),
  );
  await writeFile(content, 'STATUS');
  const numbers = Array.from({ length: messages }, (_, index) => `4915${String(index).padStart(9, '0')}`);
  await writeFile(receivers, `${numbers.join('\n')}\n`);
  const box = spawn(bearerbox, ['-v', '4', config], { cwd: directory, stdio: 'ignore' });
  const ended = once(box, 'exit');
  try {
    await sleep(3000);
    await smsc.takeStats();
    const batch = spawn(
      mtbatch,
      ['-v', '4', '-b', '127.0.0.1', '-p', String(boxPort), '-f', '2800', content, receivers],
      {
        stdio: 'ignore',
      },
    );
    const sent = once(batch, 'exit');
    let total = await smsc.takeStats();
    for (const end = Date.now() + 120_000; total.submits < messages; await sleep(200)) {
      if (Date.now() > end) throw new Error(`Kannel sent ${total.submits} of ${messages} messages`);
      const next = await smsc.takeStats();
      if (next.submits > 0)
        total = {
          submits: total.submits + next.submits,
          firstAt: total.firstAt || next.firstAt,
          lastAt: next.lastAt,
        };
    }
    batch.kill('SIGKILL');
    await sent;
    return messages / ((total.lastAt - total.firstAt) / 1000);
  } finally {
    box.kill('SIGKILL');
    await ended;
  }
};
