import type { Session } from 'smpp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addressOf, type MessageBody, type SmppClient, type SmppClientOptions, statusCode } from './index.ts';
import { openClient } from './testing/open-client.ts';
import { type Smsc, startSmsc } from './testing/smsc.ts';

let smsc: Smsc;
let client: SmppClient;

afterEach(async () => {
  await client.close(0);
  await smsc.close();
});

async function open(options: Partial<SmppClientOptions>): Promise<void> {
  smsc = await startSmsc();
  const opened = openClient(smsc.port, options);
  client = opened.client;
  await opened.waitForState('bound');
}

const session = (): Session => {
  const newest = smsc.sessions.at(-1);
  if (newest === undefined) throw new Error('nothing is bound');
  return newest;
};

describe('a message from the SMSC', () => {
  const deliver = (command: 'deliver_sm' | 'data_sm' = 'deliver_sm'): Promise<number> =>
    new Promise((resolve) => {
      const text = { short_message: Buffer.from('moved') };
      const fields = { source_addr: '34600000001', destination_addr: '1234', data_coding: 2 };
      session()[command]({ ...fields, ...(command === 'deliver_sm' && text) }, (response) =>
        resolve(response['command_status'] as number),
      );
    });

  it.each(['deliver_sm', 'data_sm'] as const)('%s is acknowledged after it is handled', async (command) => {
    const steps: string[] = [];
    let handled = (): void => undefined;
    await open({
      onMessage: async ({ source }) => {
        steps.push(`came from ${source.address}`);
        await new Promise<void>((resolve) => {
          handled = resolve;
        });
        steps.push('stored');
      },
    });
    const acknowledged = deliver(command).then((status) => steps.push(`acknowledged ${status}`));
    await vi.waitUntil(() => steps.length === 1);
    // The acknowledgement of the later enquire_link would come after one for the message.
    await new Promise<void>((resolve) => {
      session().enquire_link({}, () => resolve());
    });
    expect(steps).toEqual(['came from 34600000001']);
    handled();
    await acknowledged;
    expect(steps).toEqual(['came from 34600000001', 'stored', 'acknowledged 0']);
  });

  it('gets a temporary error if its handler fails', async () => {
    let failing = true;
    await open({
      onMessage: async () => {
        if (failing) throw new Error('the database is away');
      },
    });
    expect(await deliver()).toBe(statusCode.ESME_RX_T_APPN);
    failing = false;
    expect(await deliver()).toBe(0);
    expect(client.stats().counts).toMatchObject({ received: 1, receivedFailed: 1 });
  });

  it('waits while too many are being handled, and loses neither messages nor responses', async () => {
    let handling = 0;
    let most = 0;
    await open({
      maxDeliveries: 20,
      onMessage: async () => {
        most = Math.max(most, ++handling);
        await new Promise((resolve) => setImmediate(resolve));
        handling -= 1;
      },
    });
    const fields = { source: addressOf('1234'), destination: addressOf('34600000001'), dataCoding: 0 };
    const deliveries = Array.from({ length: 3000 }, () => deliver());
    const outcome = await client.submit({ ...fields, shortMessage: Buffer.from('STATUS') });
    expect(new Set(await Promise.all(deliveries))).toEqual(new Set([0]));
    expect(outcome).toMatchObject({ outcome: 'sent' });
    expect(client.stats().counts).toMatchObject({ received: 3000, receivedFailed: 0 });
    // What had been read when the limit was reached, is handled.
    expect(most).toBeLessThan(1500);
  });

  it('gets a temporary error if its handler times out', async () => {
    await open({ responseTimeoutMs: 80, maxDeliveries: 2, onMessage: () => new Promise(() => undefined) });
    const statuses: number[] = [];
    await Promise.all([1, 2, 3].map(() => deliver().then((status) => statuses.push(status))));
    expect(statuses).toEqual([100, 100, 100]);
    expect(statusCode.ESME_RX_T_APPN).toBe(100);
  });

  it('has text, data coding and destination as sent', async () => {
    const received: MessageBody[] = [];
    await open({
      onMessage: async (message) => {
        received.push(message as MessageBody);
      },
    });
    await deliver();
    expect(received[0]?.shortMessage.toString()).toBe('moved');
    expect(received[0]).toMatchObject({ dataCoding: 2, destination: { address: '1234' } });
  });
});
