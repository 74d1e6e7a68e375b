import { fork } from 'node:child_process';
import { cpus } from 'node:os';
import { SmppClient } from '../index.ts';
import { sampleSubmit } from './sample-messages.ts';
import { startSmsc } from './smsc.ts';

// Submits per second at window 50 against npm `smpp` in a separate process, and the processor time used by the client alone.
if (process.send) {
  const smsc = await startSmsc();
  process.send(smsc.port);
  process.once('disconnect', () => process.exit());
} else {
  const child = fork(import.meta.filename, { execArgv: process.execArgv });
  const port = await new Promise<number>((resolve) => child.once('message', (port) => resolve(Number(port))));
  const messages = 100_000;
  let bound = (): void => undefined;
  const whenBound = new Promise<void>((resolve) => {
    bound = resolve;
  });
  const client = new SmppClient({
    host: '127.0.0.1',
    port,
    bind: 'transceiver',
    systemId: 'measure',
    password: 'measure',
    window: 50,
    maxQueue: messages,
    onState: (state) => state === 'bound' && bound(),
  });
  await whenBound;
  console.info(`${cpus()[0]?.model}, Node ${process.version}, ${messages} submits at window 50`);
  for (const round of ['warm-up', 'measured']) {
    const used = process.cpuUsage();
    const startedAt = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: messages }, () => client.submit(sampleSubmit('x'.repeat(140)))),
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    const { user, system } = process.cpuUsage(used);
    const sent = outcomes.filter(({ outcome }) => outcome === 'sent').length;
    const perSecond = Math.round(sent / seconds).toLocaleString('en');
    const micros = ((user + system) / sent).toFixed(1);
    console.info(
      `${round}: ${perSecond} submits/s, ${micros} µs of a core each, ${sent} of ${messages} sent`,
    );
  }
  await client.close();
  child.disconnect();
}
