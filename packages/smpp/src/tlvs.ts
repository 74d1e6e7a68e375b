/** An optional parameter as received or to be sent, known or not. */
export interface Tlv {
  readonly tag: number;
  /** A view of the PDU when received: copy it to keep it. */
  readonly value: Buffer;
}

/** Kinds of values: integers by size, NUL-terminated text, octets. */
export interface TlvValues {
  uint8: number;
  uint16: number;
  text: string;
  octets: Buffer;
}

export type TlvKind = keyof TlvValues;

export interface TlvDefinition<K extends TlvKind = TlvKind> {
  readonly tag: number;
  readonly kind: K;
  /** Length of the value in octets. */
  readonly min: number;
  readonly max: number;
}

const define = <K extends TlvKind>(tag: number, kind: K, min: number, max = min): TlvDefinition<K> => ({
  tag,
  kind,
  min,
  max,
});

/** Optional parameters (SMPP 3.4, §5.3.2) that messages, receipts and binds use. */
export const tlv = {
  payloadType: define(0x0019, 'uint8', 1),
  additionalStatusInfoText: define(0x001d, 'text', 0, 256),
  receiptedMessageId: define(0x001e, 'text', 0, 65),
  userMessageReference: define(0x0204, 'uint16', 2),
  sourcePort: define(0x020a, 'uint16', 2),
  destinationPort: define(0x020b, 'uint16', 2),
  sarMsgRefNum: define(0x020c, 'uint16', 2),
  languageIndicator: define(0x020d, 'uint8', 1),
  sarTotalSegments: define(0x020e, 'uint8', 1),
  sarSegmentSeqnum: define(0x020f, 'uint8', 1),
  scInterfaceVersion: define(0x0210, 'uint8', 1),
  dpfResult: define(0x0420, 'uint8', 1),
  msAvailabilityStatus: define(0x0422, 'uint8', 1),
  /** Network type, then the network's error code. */
  networkErrorCode: define(0x0423, 'octets', 3),
  messagePayload: define(0x0424, 'octets', 0, 0xffff),
  deliveryFailureReason: define(0x0425, 'uint8', 1),
  moreMessagesToSend: define(0x0426, 'uint8', 1),
  messageState: define(0x0427, 'uint8', 1),
} as const;

/** The value of the first well-formed parameter; `undefined` if there is none. */
export function readTlv<K extends TlvKind>(
  tlvs: readonly Tlv[],
  { tag, kind, min, max }: TlvDefinition<K>,
): TlvValues[K] | undefined {
  for (const one of tlvs) {
    const { length } = one.value;
    if (one.tag === tag && length >= min && length <= max) return readers[kind](one.value) as TlvValues[K];
  }
  return undefined;
}

const readers: { [K in TlvKind]: (value: Buffer) => TlvValues[K] } = {
  uint8: (value) => value.readUInt8(),
  uint16: (value) => value.readUInt16BE(),
  text: (value) => {
    const end = value.indexOf(0);
    return value.toString('latin1', 0, end < 0 ? value.length : end);
  },
  octets: (value) => value,
};

/** @throws SmppEncodeError (in `encodePdu`) if the value is longer than 65,535 octets */
export function writeTlv<K extends TlvKind>({ tag, kind }: TlvDefinition<K>, value: TlvValues[K]): Tlv {
  return { tag, value: writers[kind](value as never) };
}

const writers: { [K in TlvKind]: (value: TlvValues[K]) => Buffer } = {
  uint8: (value) => Buffer.of(value),
  uint16: (value) => Buffer.of(value >> 8, value),
  text: (value) => Buffer.from(`${value}\0`, 'latin1'),
  octets: (value) => value,
};
