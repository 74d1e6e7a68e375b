import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addressOf,
  encodePdu,
  esmClass,
  joinParts,
  type MessageBody,
  messageIdCandidates,
  messageIdKey,
  type Pdu,
  RECEIPT_REQUESTED,
  readContent,
  readReceipt,
  relativeTime,
  statusCode,
  tlv,
  writeTlv,
} from './index.ts';
import { isKannelInstalled, type Kannel, startKannel } from './testing/kannel.ts';
import { openClient } from './testing/open-client.ts';
import { isPerlSmscInstalled, startPerlSmsc } from './testing/perl-smsc.ts';
import { type RawSmsc, startRawSmsc } from './testing/raw-smsc.ts';
import { sampleDelivery, sampleSubmit } from './testing/sample-messages.ts';
import { startSmsc } from './testing/smsc.ts';
import { dissect, isTsharkInstalled } from './testing/tshark.ts';
import { segmentText } from './text/index.ts';

/** Two parts in each alphabet, with pairs that must not be split between parts. */
const gsmText = `[€] ñandù @ ${'0123456789'.repeat(20)}`;
const ucs2Text = `中文 😀 — ${'один два '.repeat(9)}`;

/** The messages that carry a text, as fields of `submit_sm` or `deliver_sm`. */
const messagesOf = (text: string): Pick<MessageBody, 'esmClass' | 'dataCoding' | 'shortMessage'>[] => {
  const { segments, dataCoding, hasHeader } = segmentText(text, 0xa7);
  return segments.map(({ octets }) => ({
    esmClass: hasHeader ? esmClass.userDataHeader : 0,
    dataCoding,
    shortMessage: octets,
  }));
};

const textOf = (messages: readonly MessageBody[]): string => {
  const parts = messages.map((message) => {
    const content = readContent(message);
    return { ...content, sequence: content.part?.sequence ?? 1 };
  });
  return joinParts({ parts, total: parts.length, gap: '?' }).text;
};

// Where a peer is not installed, only npm smpp is used (client.test.ts, pdu.test.ts).
describe.runIf(isTsharkInstalled)("tshark's dissector", () => {
  const own: Pdu[] = [
    {
      command: 'bind_transceiver',
      status: 0,
      sequence: 1,
      body: {
        systemId: 'simcube',
        password: 'pw',
        systemType: 'M2M',
        interfaceVersion: 0x34,
        range: { ton: 1, npi: 1, address: '34.*' },
      },
    },
    ...[gsmText, ucs2Text].flatMap(messagesOf).map(
      (message, index): Pdu => ({
        command: 'submit_sm',
        status: 0,
        sequence: index + 2,
        body: {
          ...sampleDelivery(message),
          source: addressOf('SimCube'),
          validityPeriod: relativeTime(90_061),
          registeredDelivery: RECEIPT_REQUESTED,
        },
      }),
    ),
    {
      command: 'deliver_sm_resp',
      status: statusCode.ESME_RX_T_APPN,
      sequence: 6,
      body: { messageId: '', tlvs: [] },
    },
    {
      command: 'data_sm',
      status: 0,
      sequence: 7,
      body: {
        serviceType: 'CMT',
        source: addressOf('+34600000001'),
        destination: addressOf('1234'),
        esmClass: esmClass.deliveryReceipt,
        registeredDelivery: 0,
        dataCoding: 0,
        tlvs: [
          writeTlv(tlv.receiptedMessageId, '1E240'),
          writeTlv(tlv.messageState, 5),
          writeTlv(tlv.networkErrorCode, Buffer.of(3, 0, 6)),
          writeTlv(tlv.sarMsgRefNum, 0x1234),
          writeTlv(tlv.sarTotalSegments, 3),
          writeTlv(tlv.sarSegmentSeqnum, 2),
        ],
      },
    },
    { command: 'generic_nack', status: statusCode.ESME_RINVCMDID, sequence: 8, body: {} },
  ];
  let frames: string[][];
  beforeAll(async () => {
    frames = await dissect(own.map(encodePdu));
  });

  it('reads every PDU, and finds none malformed', () => {
    expect(frames).toHaveLength(own.length);
    expect(frames.flat().filter((line) => /malformed|\[Expert/i.test(line))).toEqual([]);
  });

  it.each([
    [
      0,
      [
        'Operation: Bind_transceiver (0x00000009)',
        'System ID: simcube',
        'Version (if): 3.4',
        'Address: 34.*',
      ],
    ],
    [
      1,
      [
        'Originator address: SimCube',
        'Type of number (originator): Alphanumeric (0x05)',
        'Recipient address: 1234',
        '01.. .... = GSM features: UDHI indicator (0x1)',
        'Validity period: 90061.000000000 seconds',
        '.... ..01 = Delivery receipt: Delivery receipt requested (for success or failure) (0x1)',
        'Data coding: SMSC default alphabet (0x00)',
        'Message length: 159',
      ],
    ],
    [3, ['Data coding: UCS2 (ISO/IEC-10646) (0x08)', 'Sequence #: 4']],
    [
      5,
      [
        'Operation: Deliver_sm - resp (0x80000005)',
        'Result: ESME receiver temporary app error code (0x00000064)',
      ],
    ],
    [
      6,
      [
        'Service type: CMT',
        'SMSC identifier: 1E240',
        'Message state: UNDELIVERABLE (5)',
        'Error type: GSM (3)',
        'Error code: 0x0006',
        'SAR reference number: 4660',
        'SAR size: 3',
        'SAR sequence number: 2',
      ],
    ],
    [7, ['Operation: Generic_nack (0x80000000)', 'Result: Invalid command ID (0x00000003)']],
  ])('reads the fields of PDU %d', (index, lines) => {
    expect(frames[index]).toEqual(expect.arrayContaining(lines));
  });

  it('reads the text of parts', () => {
    const texts = frames.flat().flatMap((line) => line.match(/^Message: (.*)$/)?.slice(1) ?? []);
    // This dissector does not know surrogate pairs.
    expect(texts.slice(-2).join('')).toBe(ucs2Text.replace('😀', '\ufffd\ufffd'));
  });
});

describe.runIf(isPerlSmscInstalled)('an SMSC of Net::SMPP', () => {
  it('accepts a message in parts, with receipts before responses and ids in another notation', async () => {
    const smsc = await startPerlSmsc();
    const received: MessageBody[] = [];
    const { client, waitForState } = openClient(smsc.port, {
      onMessage: async (message) => {
        received.push(message as MessageBody);
      },
    });
    await waitForState('bound');
    const messages = messagesOf(ucs2Text);
    const outcomes = await Promise.all(
      messages.map((message) =>
        client.submit({
          ...sampleSubmit(),
          ...message,
          validityPeriod: relativeTime(60),
          registeredDelivery: RECEIPT_REQUESTED,
        }),
      ),
    );
    const ids = outcomes.flatMap((one) => (one.outcome === 'sent' ? one.messageId : []));
    expect(ids).toEqual(['BEF0', 'BEF1']);
    const receipts = received.map(readReceipt);
    expect(receipts.map((receipt) => receipt?.state)).toEqual(['delivered', 'delivered']);
    const matched = receipts.map((receipt) =>
      ids.find((id) => messageIdCandidates(receipt?.messageIds[0] ?? '').includes(messageIdKey(id))),
    );
    expect(matched).toEqual(ids);
    await client.close();
    await smsc.stop();
    expect(smsc.lines.filter(({ cmd }) => cmd === 'submit_sm')).toEqual(
      messages.map(({ shortMessage }) => ({
        cmd: 'submit_sm',
        source_addr: 'SimCube',
        source_addr_ton: 5,
        destination_addr: '34600000001',
        esm_class: 0x40,
        data_coding: 8,
        registered_delivery: 1,
        validity_period: '000000000100000R',
        short_message: Buffer.from(shortMessage).toString('hex'),
      })),
    );
    expect(smsc.lines[0]).toMatchObject({
      cmd: 'bind_transceiver',
      system_id: 'simcube',
      password: 'pass-wor',
    });
    expect(smsc.lines.at(-1)).toEqual({ cmd: 'unbind' });
    const statuses = smsc.lines.filter(({ cmd }) => cmd === '80000005' || cmd === '80000015');
    expect(statuses.map(({ status }) => status)).toEqual([0, 0, 0]);
  });
});

describe.runIf(isKannelInstalled)('Kannel', () => {
  let smsc: RawSmsc;
  let kannel: Kannel;
  beforeAll(async () => {
    smsc = await startRawSmsc((pdu, socket) => {
      if (pdu.command !== 'submit_sm') return;
      const body = { messageId: String(pdu.sequence), tlvs: [] };
      socket.write(encodePdu({ command: 'submit_sm_resp', status: 0, sequence: pdu.sequence, body }));
    });
    kannel = await startKannel(smsc.port);
  });
  afterAll(async () => {
    await kannel.stop();
    await smsc.close();
  });

  it.each([
    ['GSM 7-bit', gsmText, 0],
    ['UCS-2', ucs2Text, 2],
  ] as const)('sends a text in %s in parts that we read', async (_, text, coding) => {
    const before = smsc.received.length;
    expect(await kannel.send(text, coding)).toBe(202);
    await expect.poll(() => smsc.received.length - before, { timeout: 10_000 }).toBe(2);
    const submits = smsc.received.slice(before) as Pdu<'submit_sm'>[];
    expect(textOf(submits.map(({ body }) => body))).toBe(text);
  });

  it('reads and acknowledges our messages', async () => {
    const text = 'sent to Kannel [€]';
    const [message] = messagesOf(text);
    const body = sampleDelivery({
      ...message,
      source: addressOf('34600000001'),
      destination: addressOf('1234'),
    });
    smsc.socket().write(encodePdu({ command: 'deliver_sm', status: 0, sequence: 91, body }));
    await expect
      .poll(() => smsc.received.find(({ sequence }) => sequence === 91), { timeout: 10_000 })
      .toMatchObject({ command: 'deliver_sm_resp', status: 0 });
    await expect
      .poll(() => kannel.log(), { timeout: 10_000 })
      .toContain(`Starting to service <${text}> from <`);
  });
});

const OPENSSL = '/usr/bin/openssl';

describe.runIf(existsSync(OPENSSL))('a TLS connection', () => {
  let directory: string;
  let tls: { key: string; cert: string };
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'simcube-smpp-'));
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
    const subject = ['-subj', '/CN=smsc.test', '-addext', 'subjectAltName=DNS:smsc.test'];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
    execFileSync(OPENSSL, ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('is made only if the SMSC’s certificate is trusted', async () => {
    const smsc = await startSmsc({ tls });
    const trusting = openClient(smsc.port, { tls: { ca: tls.cert, servername: 'smsc.test' } });
    await trusting.waitForState('bound');
    expect(await trusting.client.submit(sampleSubmit())).toEqual({ outcome: 'sent', messageId: '1' });
    await trusting.client.close();
    const refused: [object, string][] = [
      [{}, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
      [{ ca: tls.cert, servername: 'other.test' }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ];
    for (const [options, detail] of refused) {
      const { client, waitForState } = openClient(smsc.port, { tls: options });
      await waitForState('waiting');
      expect(client.stats().lastClosure).toEqual({ reason: 'connect-failed', detail });
      await client.close();
    }
    expect(smsc.binds).toHaveLength(1);
    await smsc.close();
  });
});
