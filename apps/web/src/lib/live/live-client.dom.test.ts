import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLiveClient, type LiveClient, type LiveOptions, type LiveState } from './live-client.ts';

interface Opened {
  lastEventId: string | null;
  signal: AbortSignal;
  send: (text: string) => void;
  end: () => void;
  refuse: (error: unknown) => void;
}

const clients: LiveClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.stop();
});

/** A live client whose streams the test controls. */
const start = (options: Partial<LiveOptions> = {}) => {
  const opened: Opened[] = [];
  const states: LiveState[] = [];
  const open: LiveOptions['open'] = ({ lastEventId, signal }) =>
    new Promise((resolve, reject) => {
      const encoder = new TextEncoder();
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({
        start: (own) => {
          controller = own;
        },
      });
      const response = new Response(body);
      const respond = (): void => resolve(response);
      opened.push({
        lastEventId,
        signal,
        send: (text) => {
          respond();
          controller?.enqueue(encoder.encode(text));
        },
        end: () => {
          respond();
          controller?.close();
        },
        refuse: reject,
      });
    });
  const client = createLiveClient({
    open,
    shouldRetry: () => true,
    backoffMs: { first: 4, longest: 16 },
    ...options,
  });
  clients.push(client);
  client.subscribe(() => states.push(client.state()));
  client.start();
  const stream = async (index: number): Promise<Opened> => {
    await vi.waitFor(() => expect(opened.length).toBeGreaterThan(index));
    const one = opened[index];
    if (!one) throw new Error('no stream');
    return one;
  };
  return { client, opened, states, stream };
};

const usage = (id: number, iccid: string) =>
  `id: ${id}\nevent: sim.usage\ndata: {"at":null,"sims":[{"iccid":"${iccid}","bytes":5,"used":5}],"bytes":5,"hours":null}\n\n`;

describe('the live stream', () => {
  test('delivers typed events and reports its state', async () => {
    const { client, states, stream } = start();
    const got: string[] = [];
    client.on('sim.usage', ({ sims }) => got.push(...sims.map((sim) => sim.iccid)));
    expect(client.state()).toBe('connecting');
    (await stream(0)).send(usage(1, 'A') + usage(2, 'B'));
    await vi.waitFor(() => expect(got).toEqual(['A', 'B']));
    expect(states).toEqual(['streaming']);
  });

  test('resumes after the last event when the stream is lost', async () => {
    const { client, states, stream } = start();
    const got: string[] = [];
    client.on('sim.usage', ({ sims }) => got.push(...sims.map((sim) => sim.iccid)));
    const first = await stream(0);
    expect(first.lastEventId).toBeNull();
    first.send(usage(41, 'A'));
    await vi.waitFor(() => expect(got).toEqual(['A']));
    first.end();
    const second = await stream(1);
    expect(second.lastEventId).toBe('41');
    expect(client.state()).toBe('lost');
    second.send(usage(42, 'B'));
    await vi.waitFor(() => expect(got).toEqual(['A', 'B']));
    expect(states).toEqual(['streaming', 'lost', 'streaming']);
  });

  test('delivers a reset when too much was missed, and resumes after it', async () => {
    const { client, stream } = start();
    const reset = vi.fn();
    client.on('stream.reset', reset);
    (await stream(0)).send('id: 900\nevent: stream.reset\ndata: {}\n\n');
    await vi.waitFor(() => expect(reset).toHaveBeenCalledOnce());
    (await stream(0)).end();
    expect((await stream(1)).lastEventId).toBe('900');
  });

  test('ignores unknown and invalid events', async () => {
    const { client, stream } = start();
    const got: string[] = [];
    client.on('sim.connection', ({ iccid }) => got.push(iccid));
    (await stream(0)).send(
      [
        'event: sim.connection\ndata: {"iccid":"BAD","status":"sleeping"}\n\n',
        'event: sim.connection\ndata: no json\n\n',
        'event: toString\ndata: {}\n\n',
        'event: of.tomorrow\ndata: {}\n\n',
        'event: sim.connection\ndata: {"iccid":"GOOD","status":"online"}\n\n',
      ].join(''),
    );
    await vi.waitFor(() => expect(got).toEqual(['GOOD']));
  });

  test('aborts a silent stream, and reconnects', async () => {
    const { opened, stream } = start({ silenceMs: 20 });
    (await stream(0)).send(': hello\n\n');
    await stream(1);
    expect(opened[0]?.signal.aborted).toBe(true);
  });

  test('doubles its pause after each failure, up to a limit', async () => {
    const pauses: number[] = [];
    const timer = vi.spyOn(globalThis, 'setTimeout');
    const { stream } = start({ random: () => 1, silenceMs: 777_777 });
    for (let index = 0; index < 4; index += 1) (await stream(index)).refuse(new Error('down'));
    await stream(4);
    for (const [, ms] of timer.mock.calls) if (ms !== undefined && [4, 8, 16].includes(ms)) pauses.push(ms);
    timer.mockRestore();
    expect(pauses).toEqual([4, 8, 16, 16]);
  });

  test('does not retry after a permanent error', async () => {
    const refused = new Error('401');
    const { client, opened, stream } = start({ shouldRetry: (error) => error !== refused });
    (await stream(0)).refuse(refused);
    await vi.waitFor(() => expect(client.state()).toBe('lost'));
    expect(opened).toHaveLength(1);
  });

  test('opens again when started after a permanent error', async () => {
    const refused = new Error('401');
    const { client, stream } = start({ shouldRetry: (error) => error !== refused });
    (await stream(0)).refuse(refused);
    await vi.waitFor(() => expect(client.state()).toBe('lost'));
    client.start();
    (await stream(1)).send(usage(1, 'A'));
    await vi.waitFor(() => expect(client.state()).toBe('streaming'));
  });

  test('stops reading, and resumes after the last event when started again', async () => {
    const { client, stream } = start();
    const got: string[] = [];
    client.on('sim.usage', ({ sims }) => got.push(...sims.map((sim) => sim.iccid)));
    (await stream(0)).send(usage(5, 'A'));
    await vi.waitFor(() => expect(got).toEqual(['A']));
    client.stop();
    expect((await stream(0)).signal.aborted).toBe(true);
    expect(client.state()).toBe('connecting');
    client.start();
    expect((await stream(1)).lastEventId).toBe('5');
  });

  test('does not call a removed handler', async () => {
    const { client, stream } = start();
    const gone = vi.fn();
    const stays = vi.fn();
    client.on('sim.changed', gone)();
    client.on('sim.changed', stays);
    (await stream(0)).send('id: 9\nevent: sim.changed\ndata: {"count":3}\n\n');
    await vi.waitFor(() => expect(stays).toHaveBeenCalledWith({ count: 3 }, '9'));
    expect(gone).not.toHaveBeenCalled();
  });

  test('reopens immediately when probed, and stays live if the server responds', async () => {
    const { opened, client, states, stream } = start({ backoffMs: { first: 60_000, longest: 60_000 } });
    (await stream(0)).send(usage(7, 'A'));
    await vi.waitFor(() => expect(states).toEqual(['streaming']));
    client.probe();
    const again = await stream(1);
    expect(opened[0]?.signal.aborted).toBe(true);
    expect(again.lastEventId).toBe('7');
    again.send(': still here\n\n');
    await vi.waitFor(() => expect(opened).toHaveLength(2));
    expect(states).toEqual(['streaming']);
    expect(client.silentSince()).toBeNull();
  });

  test('is lost when a probe times out, until a later attempt succeeds', async () => {
    const { client, states, stream } = start({ probeMs: 5 });
    (await stream(0)).send(': hello\n\n');
    await vi.waitFor(() => expect(states).toEqual(['streaming']));
    client.probe();
    await stream(1);
    await vi.waitFor(() => expect(states).toEqual(['streaming', 'lost']));
    expect(Date.now() - (client.silentSince() ?? 0)).toBeLessThan(60_000);
    (await stream(1)).refuse(new Error('offline'));
    (await stream(2)).send(': hello\n\n');
    await vi.waitFor(() => expect(states).toEqual(['streaming', 'lost', 'streaming']));
    expect(client.silentSince()).toBeNull();
  });

  test('reconnects immediately when probed during a pause', async () => {
    const { client, opened, stream } = start({
      backoffMs: { first: 60_000, longest: 60_000 },
      random: () => 1,
    });
    (await stream(0)).refuse(new Error('down'));
    await vi.waitFor(() => expect(client.state()).toBe('lost'));
    expect(opened).toHaveLength(1);
    client.probe();
    await stream(1);
  });

  test('is lost, but not silent, when its first connection is refused', async () => {
    const { client, stream } = start({ shouldRetry: () => false });
    (await stream(0)).refuse(new Error('401'));
    await vi.waitFor(() => expect(client.state()).toBe('lost'));
    expect(client.silentSince()).toBeNull();
  });
});
