import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import {
  type AccountingRecord,
  AttributeWriter,
  attribute,
  decodePacket,
  encodeResponse,
  type RadiusPacket,
  radiusCode,
  readAccounting,
  readAttribute,
  verifyRequest,
} from '@simcube/radius';

export const testSecret = Buffer.from('secret of the tests');

export interface TestAaaOptions {
  /** Returns false for an Access-Reject. */
  accepts?: (imsi: string) => boolean;
  /** If false, there is no reply and the packet counts as lost. */
  acknowledges?: (record: AccountingRecord) => boolean;
  /** Added to every Access-Accept. */
  accept?: (attributes: AttributeWriter) => void;
}

export interface TestAaa {
  readonly authPort: number;
  readonly acctPort: number;
  readonly accessRequests: RadiusPacket[];
  /** All received accounting requests in order, including retransmissions. */
  readonly received: AccountingRecord[];
  /** Acknowledged records without duplicates. */
  readonly acknowledged: AccountingRecord[];
  /** Invalid packets: must stay empty. */
  readonly faults: string[];
  close(): Promise<void>;
}

/** A small loopback AAA server that checks everything it receives. */
export async function startTestAaa(options: TestAaaOptions = {}): Promise<TestAaa> {
  const state = { accessRequests: [], received: [], acknowledged: [], faults: [] } as Pick<
    TestAaa,
    'accessRequests' | 'received' | 'acknowledged' | 'faults'
  >;
  const [auth, acct] = await Promise.all([
    listen((packet) => authorise(packet, options, state), state.faults),
    listen((packet) => account(packet, options, state), state.faults),
  ]);
  return {
    ...state,
    authPort: auth.address().port,
    acctPort: acct.address().port,
    close: async () => {
      await Promise.all(
        [auth, acct].map((socket) => new Promise<void>((done) => socket.close(() => done()))),
      );
    },
  };
}

async function listen(
  answer: (packet: RadiusPacket) => Buffer | undefined,
  faults: string[],
): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (datagram, from) => {
    const decoded = decodePacket(datagram);
    const fault = decoded.ok ? verifyRequest({ packet: decoded.packet, secret: testSecret }) : decoded.reason;
    if (fault !== undefined || !decoded.ok) {
      faults.push(fault ?? 'undecodable');
      return;
    }
    const reply = answer(decoded.packet);
    if (reply !== undefined) socket.send(reply, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

type State = Pick<TestAaa, 'accessRequests' | 'received' | 'acknowledged' | 'faults'>;

function authorise(request: RadiusPacket, options: TestAaaOptions, state: State): Buffer {
  if (!request.hasMessageAuthenticator) state.faults.push('Access-Request without Message-Authenticator');
  state.accessRequests.push(request);
  const attributes = new AttributeWriter();
  const imsi = readAttribute(request, attribute.imsi) ?? '';
  const isAccepted = options.accepts?.(imsi) ?? true;
  if (isAccepted) {
    attributes
      .add(attribute.framedIpAddress, '10.128.0.9')
      .add(attribute.class, Buffer.from(`class-${imsi}`));
    options.accept?.(attributes);
  }
  const code = isAccepted ? radiusCode.accessAccept : radiusCode.accessReject;
  return encodeResponse({ code, request, secret: testSecret, attributes });
}

function account(request: RadiusPacket, options: TestAaaOptions, state: State): Buffer | undefined {
  const read = readAccounting(request);
  if (!read.ok) {
    state.faults.push(read.reason);
    return undefined;
  }
  const { status, imsi } = read.record;
  const classValue = Buffer.from(readAttribute(request, attribute.class) ?? '').toString();
  if (status !== 'on' && status !== 'off' && classValue !== `class-${imsi}`)
    state.faults.push('The Class of the Accept was not returned');
  state.received.push(read.record);
  if (options.acknowledges?.(read.record) === false) return undefined;
  state.acknowledged.push(read.record);
  const attributes = new AttributeWriter();
  return encodeResponse({ code: radiusCode.accountingResponse, request, secret: testSecret, attributes });
}
