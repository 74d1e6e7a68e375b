import fc from 'fast-check';
import { type Command, commandId, MAX_SHORT_MESSAGE, type Pdu } from '../index.ts';

const latin1 = fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code));
const text = (size: number) => fc.string({ unit: latin1, maxLength: size - 1 });
const time = fc.oneof(fc.constant(''), fc.string({ unit: latin1, minLength: 16, maxLength: 16 }));
const octet = fc.nat(255);
const octets = (maxLength: number) => fc.uint8Array({ maxLength }).map((value) => Buffer.from(value));
const address = (size: number) => fc.record({ ton: octet, npi: octet, address: text(size) });
const tlvs = fc.array(fc.record({ tag: fc.nat(0xffff), value: octets(300) }), { maxLength: 4 });

const bind = fc.record({
  systemId: text(16),
  password: text(9),
  systemType: text(13),
  interfaceVersion: octet,
  range: address(41),
});
const bindResponse = fc.record({ systemId: text(16), tlvs });
const message = fc.record({
  serviceType: text(6),
  source: address(21),
  destination: address(21),
  esmClass: octet,
  protocolId: octet,
  priority: octet,
  scheduleDeliveryTime: time,
  validityPeriod: time,
  registeredDelivery: octet,
  replaceIfPresent: octet,
  dataCoding: octet,
  defaultMessageId: octet,
  shortMessage: octets(MAX_SHORT_MESSAGE),
  tlvs,
});
const data = fc.record({
  serviceType: text(6),
  source: address(65),
  destination: address(65),
  esmClass: octet,
  registeredDelivery: octet,
  dataCoding: octet,
  tlvs,
});
const messageResponse = fc.record({ messageId: text(65), tlvs });

function bodyOf(command: Command): fc.Arbitrary<Pdu['body']> {
  if (/^bind_.*_resp$/.test(command)) return bindResponse;
  if (command.startsWith('bind_')) return bind;
  if (/_sm_resp$/.test(command)) return messageResponse;
  if (command === 'data_sm') return data;
  return command.endsWith('_sm') ? message : fc.constant({});
}

/** Every kind of PDU with every value that its fields can hold. */
export const anyPdu: fc.Arbitrary<Pdu> = fc
  .constantFrom(...(Object.keys(commandId) as Command[]))
  .chain((command) =>
    fc.record({
      command: fc.constant(command),
      status: fc.nat(0xffffffff),
      sequence: fc.nat(0xffffffff),
      body: bodyOf(command),
    }),
  ) as fc.Arbitrary<Pdu>;
