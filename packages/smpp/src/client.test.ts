import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import { PDU, type Session } from 'smpp';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ClientState,
  type SmppClient,
  type SmppClientOptions,
  type SubmitMessage,
  type SubmitOutcome,
  statusCode,
} from './index.ts';
import { type OpenClient, openClient } from './testing/open-client.ts';
import { sampleSubmit } from './testing/sample-messages.ts';
import { type Smsc, type SmscOptions, startSmsc } from './testing/smsc.ts';

let smsc: Smsc;
let opened: OpenClient;
let client: SmppClient;

afterEach(async () => {
  await client.close(0);
  await smsc.close();
});

async function open(options: Partial<SmppClientOptions> = {}, ofSmsc: SmscOptions = {}): Promise<void> {
  smsc = await startSmsc(ofSmsc);
  opened = openClient(smsc.port, options);
  client = opened.client;
  await opened.waitForState('bound');
}

const submitAll = (count: number): Promise<SubmitOutcome[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => client.submit(sampleSubmit(`message ${index}`))));

const textOf = (submit: PDU): string => (submit['short_message'] as { message: string }).message;

const session = (): Session => {
  const newest = smsc.sessions.at(-1);
  if (newest === undefined) throw new Error('nothing is bound');
  return newest;
};

const sentByNumber = (count: number): SubmitOutcome[] =>
  Array.from({ length: count }, (_, index) => ({ outcome: 'sent', messageId: String(index + 1) }));

describe('a bind', () => {
  it.each(['transmitter', 'receiver', 'transceiver'] as const)(
    'as %s identifies the client',
    async (bind) => {
      const addressRange = { ton: 1, npi: 1, address: '34.*' };
      await open({ bind, systemType: 'M2M', addressRange });
      expect(smsc.binds).toMatchObject([
        {
          command: `bind_${bind}`,
          system_id: 'simcube',
          password: 'pass-wor',
          system_type: 'M2M',
          interface_version: 0x34,
          address_range: '34.*',
        },
      ]);
      const outcome = await client.submit(sampleSubmit());
      expect(outcome.outcome).toBe(bind === 'receiver' ? 'not-sent' : 'sent');
    },
  );

  it('is retried after a refusal, and never discloses the password', async () => {
    let refusals = 2;
    await open(
      {},
      {
        bindStatus: () => {
          refusals -= 1;
          return refusals >= 0 ? statusCode.ESME_RINVPASWD : 0;
        },
      },
    );
    const refused = ['waiting', { reason: 'bind-refused', detail: 'ESME_RINVPASWD' }];
    expect(opened.states.filter(([state]) => state === 'waiting')).toEqual([refused, refused]);
    expect(inspect([client, client.stats(), opened.states], { depth: 9 })).not.toContain('pass-wor');
  });

  it('times out without a response', async () => {
    await open({ bindTimeoutMs: 60 });
    smsc.mute = true;
    smsc.drop();
    await expect.poll(() => client.stats().lastClosure).toEqual({ reason: 'bind-timeout', detail: '' });
    smsc.mute = false;
    await opened.waitForState('bound');
  });

  it('over TLS times out during the handshake', async () => {
    await open();
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { client: stalled, waitForState } = openClient(port, { tls: {}, bindTimeoutMs: 60 });
    await waitForState('waiting');
    expect(stalled.stats().lastClosure).toEqual({ reason: 'connect-failed', detail: 'ETIMEDOUT' });
    await stalled.close();
    silent.close();
  });
});

describe('a submit', () => {
  it('gets its own response, with at most a window in flight', async () => {
    let most = 0;
    const unanswered: PDU[] = [];
    await open(
      { window: 7 },
      {
        onSubmit: (submit, to) => {
          unanswered.push(submit);
          most = Math.max(most, unanswered.length);
          setImmediate(() => {
            const next = unanswered.shift();
            if (next) to.send(next.response({ message_id: textOf(next) }));
          });
        },
      },
    );
    const outcomes = await submitAll(500);
    expect(outcomes).toEqual(
      Array.from({ length: 500 }, (_, index) => ({ outcome: 'sent', messageId: `message ${index}` })),
    );
    expect(most).toBe(7);
    expect(client.stats()).toMatchObject({ inFlight: 0, waiting: 0, counts: { written: 500, sent: 500 } });
  });

  it('of more than 254 octets is sent as message_payload', async () => {
    await open();
    await client.submit(sampleSubmit('x'.repeat(300)));
    expect(smsc.submits).toMatchObject([{ message_payload: { message: 'x'.repeat(300) } }]);
  });

  it('that is invalid is not sent, and the outcome has the reason', async () => {
    await open();
    const outcome = await client.submit({ ...sampleSubmit(), validityPeriod: 'tomorrow' });
    const detail = 'validity_period: not 16 characters';
    expect(outcome).toEqual({ outcome: 'not-sent', reason: 'invalid', detail });
  });

  it('beyond the maximum queue is not sent', async () => {
    await open({ window: 1, maxQueue: 2 });
    const reasons = (await submitAll(5)).map((one) => ('reason' in one ? one.reason : one.outcome));
    expect(reasons).toEqual(['sent', 'sent', 'sent', 'queue-full', 'queue-full']);
  });

  it.each([
    ['by its response', 'submit_sm_resp'],
    ['by generic_nack', 'generic_nack'],
  ])('is refused %s', async (_, command) => {
    const command_status = statusCode.ESME_RINVDSTADR;
    await open(
      {},
      {
        onSubmit: ({ sequence_number }, to) => to.send(new PDU(command, { command_status, sequence_number })),
      },
    );
    expect(await client.submit(sampleSubmit())).toMatchObject({
      outcome: 'refused',
      status: { name: 'ESME_RINVDSTADR', meaning: 'the destination address is invalid' },
    });
  });

  it('without a response is unknown and not retried; a late response is reported', async () => {
    const late: [SubmitMessage, SubmitOutcome][] = [];
    const message = sampleSubmit();
    await open(
      { responseTimeoutMs: 80, onLateOutcome: (...one) => late.push(one) },
      { onSubmit: () => undefined },
    );
    expect(await client.submit(message)).toEqual({ outcome: 'unknown', reason: 'timeout' });
    const [submit] = smsc.submits;
    session().send(submit?.response({ message_id: 'late' }) as PDU);
    await expect.poll(() => late).toEqual([[message, { outcome: 'sent', messageId: 'late' }]]);
    expect(late[0]?.[0]).toBe(message);
    expect(smsc.submits).toHaveLength(1);
    expect(client.stats().counts).toMatchObject({ unknown: 1, late: 1, sent: 0 });
  });

  it('is sent if its response arrived while the process was blocked', async () => {
    const holdUp = (): void => {
      const until = performance.now() + 200;
      while (performance.now() < until);
    };
    await open(
      { responseTimeoutMs: 80 },
      {
        onSubmit: (submit, to) => {
          to.send(submit.response({ message_id: '1' }));
          holdUp();
        },
      },
    );
    expect(await client.submit(sampleSubmit())).toEqual({ outcome: 'sent', messageId: '1' });
  });

  it('is unknown if the connection is lost after writing, otherwise not sent', async () => {
    await open(
      { window: 3 },
      {
        onSubmit: (_submit, _to, count) => {
          if (count === 3) smsc.drop();
        },
      },
    );
    const unknown = { outcome: 'unknown', reason: 'disconnected' };
    const notSent = { outcome: 'not-sent', reason: 'disconnected' };
    expect(await submitAll(5)).toEqual([unknown, unknown, unknown, notSent, notSent]);
    expect(await client.submit(sampleSubmit())).toEqual({ outcome: 'not-sent', reason: 'not-bound' });
    await opened.waitForState('bound');
    expect(smsc.submits).toHaveLength(3);
  });

  it('is limited to the rate', async () => {
    await open({ rate: 200 });
    const startedAt = performance.now();
    const outcomes = await submitAll(60);
    expect(outcomes).toEqual(sentByNumber(60));
    expect(performance.now() - startedAt).toBeGreaterThan((1_000 * (60 - 4)) / 200);
  });
});

describe('throttling', () => {
  it.each(['ESME_RTHROTTLED', 'ESME_RMSGQFUL'] as const)(
    'by %s slows the connection and loses nothing',
    async (status) => {
      const accepted: string[] = [];
      await open(
        { window: 10, random: () => 0 },
        {
          onSubmit: (submit, to, count) => {
            const throttled = count > 32 && count <= 35;
            if (!throttled) accepted.push(textOf(submit));
            const fields = throttled ? { command_status: statusCode[status] } : { message_id: 'x' };
            to.send(submit.response(fields));
          },
        },
      );
      const startedAt = performance.now();
      const outcomes = await submitAll(36);
      expect(outcomes.every(({ outcome }) => outcome === 'sent')).toBe(true);
      expect(accepted).toHaveLength(36);
      expect(new Set(accepted)).toEqual(new Set(Array.from({ length: 36 }, (_, n) => `message ${n}`)));
      expect(performance.now() - startedAt).toBeGreaterThan(750);
      const { counts, rate } = client.stats();
      expect(counts).toMatchObject({ throttled: 3, written: 39, sent: 36, refused: 0 });
      expect(rate).toBeLessThan(100);
    },
  );

  it('ends in a refusal after the maximum time', async () => {
    const command_status = statusCode.ESME_RTHROTTLED;
    await open(
      { maxThrottledMs: 0 },
      { onSubmit: (submit, to) => to.send(submit.response({ command_status })) },
    );
    expect(await client.submit(sampleSubmit())).toMatchObject({
      outcome: 'refused',
      status: { name: 'ESME_RTHROTTLED' },
    });
  });
});

describe('a connection', () => {
  it('reconnects after repeated failures', async () => {
    await open({ reconnectMs: 10, maxReconnectMs: 40 });
    const { port } = smsc;
    await smsc.close();
    await expect.poll(() => opened.states.length).toBeGreaterThan(8);
    expect(client.stats().lastClosure).toEqual({ reason: 'connect-failed', detail: 'ECONNREFUSED' });
    const cycle: ClientState[] = ['waiting', 'connecting'];
    expect(opened.states.slice(0, 6).map(([state]) => state)).toEqual(
      ['connecting', 'bound', ...cycle, ...cycle].slice(0, 6),
    );
    smsc = await startSmsc({ port });
    await opened.waitForState('bound');
    expect(await client.submit(sampleSubmit())).toMatchObject({ outcome: 'sent' });
  });

  it('sends enquire_link when idle, and reconnects without a response', async () => {
    await open({ enquireLinkMs: 50, responseTimeoutMs: 100 });
    let asked = 0;
    session().on('enquire_link', () => {
      asked += 1;
    });
    await expect.poll(() => asked).toBeGreaterThanOrEqual(2);
    expect(client.stats().state).toBe('bound');
    session().removeAllListeners('enquire_link');
    await opened.waitForState('waiting');
    expect(client.stats()).toMatchObject({
      lastClosure: { reason: 'enquire-link-timeout' },
      counts: { disconnects: 1 },
    });
    await opened.waitForState('bound');
  });

  it('acknowledges the SMSC’s unbind, and reconnects', async () => {
    await open();
    const response = await new Promise<PDU>((resolve) => {
      session().unbind({}, resolve);
    });
    expect(response).toMatchObject({ command: 'unbind_resp', command_status: 0 });
    await opened.waitForState('waiting');
    expect(client.stats().lastClosure).toEqual({ reason: 'unbound-by-smsc', detail: '' });
    await opened.waitForState('bound');
  });

  it('closes after submits in flight are answered; queued ones are not sent', async () => {
    const held: (() => void)[] = [];
    await open(
      { window: 2 },
      { onSubmit: (submit, to) => held.push(() => to.send(submit.response({ message_id: 'x' }))) },
    );
    let unbound = false;
    session().on('unbind', () => {
      unbound = true;
    });
    const outcomes = submitAll(3);
    await expect.poll(() => held.length).toBe(2);
    const closed = client.close();
    for (const answer of held) answer();
    const sent = { outcome: 'sent', messageId: 'x' };
    expect(await outcomes).toEqual([sent, sent, { outcome: 'not-sent', reason: 'closed' }]);
    await closed;
    expect(unbound).toBe(true);
    expect(client.stats()).toMatchObject({ state: 'closed', lastClosure: { reason: 'closed' } });
    expect(await client.submit(sampleSubmit())).toEqual({ outcome: 'not-sent', reason: 'closed' });
  });

  it('can be closed in a state callback, for good', async () => {
    smsc = await startSmsc({ bindStatus: () => statusCode.ESME_RBINDFAIL });
    let attempts = 0;
    await new Promise<void>((closed, failed) => {
      const onState = (state: ClientState): void => {
        if (state === 'connecting') attempts += 1;
        if (attempts === 2) client.close().then(closed, failed);
      };
      ({ client } = openClient(smsc.port, { onState, reconnectMs: 1 }));
    });
    expect(client.stats()).toMatchObject({ state: 'closed', counts: { binds: 0 } });
    // Another one that begins after it is the next to bind.
    const other = openClient(smsc.port, { reconnectMs: 60_000 });
    await other.waitForState('waiting');
    await other.client.close();
    expect(smsc.binds).toHaveLength(2);
  });

  it('closes after a timeout if submits in flight are not answered', async () => {
    await open({}, { onSubmit: () => undefined });
    const outcomes = submitAll(2);
    await expect.poll(() => smsc.submits.length).toBe(2);
    await client.close(10);
    const unknown = { outcome: 'unknown', reason: 'disconnected' };
    expect(await outcomes).toEqual([unknown, unknown]);
  });
});
