import { afterEach, describe, expect, it } from 'vitest';
import { decodePdu, encodePdu, type Pdu, type SmppClient, statusCode } from './index.ts';
import { type OpenClient, openClient } from './testing/open-client.ts';
import { type RawSmsc, startRawSmsc } from './testing/raw-smsc.ts';
import { sampleDelivery, sampleSubmit } from './testing/sample-messages.ts';

let smsc: RawSmsc;
let opened: OpenClient;
let client: SmppClient;

afterEach(async () => {
  await client.close(0);
  await smsc.close();
});

/** An SMSC that accepts every submit. */
async function open(): Promise<void> {
  smsc = await startRawSmsc((pdu, socket) => {
    if (pdu.command !== 'submit_sm') return;
    const body = { messageId: 'taken', tlvs: [] };
    socket.write(encodePdu({ command: 'submit_sm_resp', status: 0, sequence: pdu.sequence, body }));
  });
  opened = openClient(smsc.port, { onMessage: async () => undefined });
  client = opened.client;
  await opened.waitForState('bound');
}

const deliver = (sequence: number): Buffer => {
  const body = sampleDelivery({
    shortMessage: Buffer.from('hello'),
    tlvs: [{ tag: 0x0204, value: Buffer.from('0001', 'hex') }],
  });
  return encodePdu({ command: 'deliver_sm', status: 0, sequence, body });
};

/** Deterministic, so that failures can be reproduced. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state >>> 8;
  }
}

/** A request with one error; its length is correct, so that the next one can be found. */
function malformed(sequence: number, next: () => number): Buffer {
  const frame = deliver(sequence);
  const kind = next() % 4;
  // An unknown command, a body cut anywhere, a TLV that is longer than the rest, octets overwritten at random.
  if (kind === 0) frame.writeUInt32BE(0x200 + (next() % 0x10000), 4);
  if (kind === 1) {
    const cut = frame.subarray(0, 16 + (next() % (frame.length - 20)));
    cut.writeUInt32BE(cut.length);
    return cut;
  }
  if (kind === 2) frame.writeUInt16BE(0x100 + (next() % 0xff), frame.length - 4);
  if (kind === 3)
    for (let count = 0; count < 8; count += 1) frame[16 + (next() % (frame.length - 16))] = next();
  return frame;
}

describe('a session', () => {
  it('responds to 100,000 malformed PDUs, and still works', async () => {
    await open();
    const random = numbers(20_261_123);
    const next = (): number => random.next().value;
    const frames = Array.from({ length: 100_000 }, (_, index) => malformed(index + 1, next));
    const expected = frames.map((frame) => {
      const decoded = decodePdu(frame);
      return decoded.ok ? 0 : decoded.status;
    });
    expect(expected.filter((status) => status !== 0).length).toBeGreaterThan(70_000);
    const stream = Buffer.concat(frames);
    for (let at = 0; at < stream.length; ) {
      const size = 1 + (next() % 100_000);
      smsc.socket().write(stream.subarray(at, at + size));
      at += size;
    }
    await expect.poll(() => smsc.received.length, { timeout: 30_000 }).toBe(frames.length);
    const answered = new Map(smsc.received.map(({ sequence, status }) => [sequence, status]));
    const wrong = expected.filter((status, index) => answered.get(index + 1) !== status);
    expect(wrong).toEqual([]);
    expect(await client.submit(sampleSubmit())).toEqual({ outcome: 'sent', messageId: 'taken' });
    expect(client.stats().counts).toMatchObject({ binds: 1, disconnects: 0 });
  });

  it.each([
    [0, 'command_length 0'],
    [15, 'command_length 15'],
    [0xffffffff, 'command_length 4294967295'],
  ])('that loses framing at a length of %d sends generic_nack and reconnects', async (length, detail) => {
    await open();
    const lost = Buffer.alloc(16);
    lost.writeUInt32BE(length);
    smsc.socket().write(Buffer.concat([deliver(5), lost, deliver(6)]));
    await opened.waitForState('waiting');
    expect(client.stats().lastClosure).toEqual({ reason: 'framing-lost', detail });
    await opened.waitForState('bound');
    const nack = (pdu: Pdu): boolean => pdu.command === 'generic_nack';
    await expect.poll(() => smsc.received.filter(nack)).toMatchObject([{ status: 2, sequence: 0 }]);
    expect(smsc.received.some(({ sequence }) => sequence === 6)).toBe(false);
    expect(await client.submit(sampleSubmit())).toMatchObject({ outcome: 'sent' });
  });

  it('rejects commands for an SMSC, and ignores alert_notification and unexpected responses', async () => {
    await open();
    const body = sampleDelivery({});
    const frames = [
      encodePdu({ command: 'submit_sm', status: 0, sequence: 1, body }),
      encodePdu({ command: 'submit_sm_resp', status: 0, sequence: 77, body: { messageId: 'x', tlvs: [] } }),
      encodePdu({ command: 'unbind_resp', status: 0, sequence: 78, body: {} }),
      Buffer.from('00000010000001020000000000000003', 'hex'),
      encodePdu({ command: 'enquire_link', status: 0, sequence: 2, body: {} }),
    ];
    for (const octet of Buffer.concat(frames)) smsc.socket().write(Buffer.of(octet));
    await expect
      .poll(() => smsc.received)
      .toMatchObject([
        { command: 'submit_sm_resp', status: statusCode.ESME_RINVBNDSTS, sequence: 1 },
        { command: 'enquire_link_resp', status: 0, sequence: 2 },
      ]);
    expect(client.stats()).toMatchObject({
      state: 'bound',
      counts: { ignored: 2, malformed: { 'command-unknown': 1 } },
    });
  });

  it('ends when the SMSC does not read its responses', async () => {
    await open();
    smsc.socket().pause();
    const enquiries = Buffer.concat(
      Array.from({ length: 4_096 }, (_, index) =>
        encodePdu({ command: 'enquire_link', status: 0, sequence: index + 1, body: {} }),
      ),
    );
    const flood = smsc.socket();
    const write = (): void => {
      while (!flood.destroyed && flood.write(enquiries));
    };
    flood.on('drain', write);
    write();
    await opened.waitForState('waiting');
    expect(client.stats().lastClosure).toEqual({ reason: 'not-reading', detail: '' });
    // Its flood continues, and must not keep the old connection alive.
    await expect.poll(() => flood.destroyed, { timeout: 10_000 }).toBe(true);
  });
});
