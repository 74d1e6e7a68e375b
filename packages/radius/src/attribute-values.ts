import { parseIpv4, parseIpv6, parseIpv6Prefix, readIpv4, readIpv6, readIpv6Prefix } from './addresses.ts';
import {
  type AttributeDefinition,
  type AttributeKind,
  type AttributeValues,
  attribute,
} from './attributes.ts';
import type { RadiusPacket } from './packet.ts';
import { readSessionId, sessionIdOctets } from './session-ids.ts';
import { readText } from './text.ts';

/** Thrown if a value to send cannot be encoded; never caused by received data. */
export class RadiusEncodeError extends Error {
  override readonly name = 'RadiusEncodeError';
  constructor(
    readonly reason: 'value-too-long' | 'value-invalid' | 'packet-too-long',
    readonly attributeName: string,
  ) {
    super(`${attributeName}: ${reason}`);
  }
}

interface ValueCodec<T> {
  /** Undefined if the octets are not a valid value (only in vendor space: elsewhere decoding refuses the packet). */
  read: (raw: Buffer, start: number, end: number) => T | undefined;
  /** The octets, or undefined if the value is not valid for its kind. */
  octets: (value: T) => Uint8Array | undefined;
}

const unsigned = {
  read: (raw: Buffer, start: number, end: number): number | undefined =>
    end - start === 4 ? raw.readUInt32BE(start) : undefined,
  octets: (value: number): Uint8Array | undefined => {
    if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff) return undefined;
    return Uint8Array.of(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
  },
};

const codecs: { readonly [K in AttributeKind]: ValueCodec<AttributeValues[K]> } = {
  text: { read: readText, octets: (value) => Buffer.from(value, 'utf8') },
  sessionId: { read: readSessionId, octets: sessionIdOctets },
  octets: { read: (raw, start, end) => raw.subarray(start, end), octets: (value) => value },
  integer: unsigned,
  time: unsigned,
  byte: {
    read: (raw, start, end) => (end - start === 1 ? raw[start] : undefined),
    octets: (value) =>
      Number.isInteger(value) && value >= 0 && value <= 255 ? Uint8Array.of(value) : undefined,
  },
  ipv4: {
    read: (raw, start, end) => (end - start === 4 ? readIpv4(raw, start) : undefined),
    octets: parseIpv4,
  },
  ipv6: {
    read: (raw, start, end) => (end - start === 16 ? readIpv6(raw, start) : undefined),
    octets: parseIpv6,
  },
  ipv6Prefix: { read: readIpv6Prefix, octets: parseIpv6Prefix },
};

/** The first value of an attribute, or undefined if absent (or, in vendor space, of a wrong length). */
export function readAttribute<K extends AttributeKind>(
  packet: RadiusPacket,
  definition: AttributeDefinition<K>,
): AttributeValues[K] | undefined {
  const at = packet.find(definition);
  return at < 0 ? undefined : codecs[definition.kind].read(packet.raw, at, packet.valueEnd(at));
}

/** Every value of an attribute, in the order of the packet. */
export function readAttributes<K extends AttributeKind>(
  packet: RadiusPacket,
  definition: AttributeDefinition<K>,
): AttributeValues[K][] {
  const values: AttributeValues[K][] = [];
  for (let at = packet.find(definition); at >= 0; at = packet.find(definition, at)) {
    const value = codecs[definition.kind].read(packet.raw, at, packet.valueEnd(at));
    if (value !== undefined) values.push(value);
  }
  return values;
}

/**
 * Maximum octets of a writer: 4096 minus the header, Message-Authenticator and the maximum Proxy-State that decoding accepts,
 * so that a response to a decoded request always fits.
 */
export const WRITER_CAPACITY = 4096 - 20 - 18 - 1024;

/** Collects encoded attributes in order. Reusable: `reset()` empties it without allocating. */
export class AttributeWriter {
  #storage: Buffer;
  #length = 0;

  constructor(expectedOctets = 512) {
    this.#storage = Buffer.allocUnsafe(Math.min(Math.max(expectedOctets, 64), WRITER_CAPACITY));
  }

  get length(): number {
    return this.#length;
  }

  /** A view of what was written, valid until the next write. */
  get bytes(): Buffer {
    return this.#storage.subarray(0, this.#length);
  }

  /** A copy that remains valid when this writer is reused. */
  clone(): AttributeWriter {
    return new AttributeWriter(this.#length).addEncoded(this.bytes);
  }

  reset(): this {
    this.#length = 0;
    return this;
  }

  /** Appends one attribute; each vendor attribute is wrapped in a separate attribute 26 (allowed by TS 29.061 §16.4.7). */
  add<K extends AttributeKind>(definition: AttributeDefinition<K>, value: AttributeValues[K]): this {
    const octets = codecs[definition.kind].octets(value);
    if (octets === undefined) throw new RadiusEncodeError('value-invalid', definition.name);
    if (definition.size !== undefined && octets.length !== definition.size) {
      throw new RadiusEncodeError('value-invalid', definition.name);
    }
    const header = definition.vendor === 0 ? 2 : 8;
    const total = header + octets.length;
    if (total > 255) throw new RadiusEncodeError('value-too-long', definition.name);
    this.#reserve(total, definition.name);
    const storage = this.#storage;
    let at = this.#length;
    if (header === 8) {
      storage[at] = 26;
      storage[at + 1] = total;
      storage.writeUInt32BE(definition.vendor, at + 2);
      at += 6;
    }
    storage[at] = definition.type;
    storage[at + 1] = octets.length + 2;
    storage.set(octets, at + 2);
    this.#length += total;
    return this;
  }

  /** Like `add`, but does nothing if the value is undefined. */
  addIfKnown<K extends AttributeKind>(
    definition: AttributeDefinition<K>,
    value: AttributeValues[K] | undefined,
  ): this {
    return value === undefined ? this : this.add(definition, value);
  }

  /** Appends attributes that are encoded already. */
  addEncoded(octets: Uint8Array): this {
    this.#reserve(octets.length, 'encoded attributes');
    this.#storage.set(octets, this.#length);
    this.#length += octets.length;
    return this;
  }

  #reserve(octets: number, name: string): void {
    const needed = this.#length + octets;
    if (needed <= this.#storage.length) return;
    if (needed > WRITER_CAPACITY) throw new RadiusEncodeError('packet-too-long', name);
    const grown = Buffer.allocUnsafe(Math.min(WRITER_CAPACITY, Math.max(needed, 2 * this.#storage.length)));
    this.#storage.copy(grown, 0, 0, this.#length);
    this.#storage = grown;
  }
}

/** All attributes of a packet that are in the dictionary, as text by name; for logs and traces, not for the hot path. */
export function describeAttributes(packet: RadiusPacket): Record<string, string[]> {
  const described: Record<string, string[]> = {};
  for (const definition of Object.values<AttributeDefinition>(attribute)) {
    if (isSecret(definition)) continue;
    const values = readAttributes(packet, definition);
    if (values.length > 0) {
      described[definition.name] = values.map((value) =>
        value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : String(value),
      );
    }
  }
  return described;
}

/** Attributes that prove knowledge of a secret, which must not be logged. */
const isSecret = (definition: AttributeDefinition): boolean =>
  definition === attribute.userPassword ||
  definition === attribute.chapPassword ||
  definition === attribute.chapChallenge ||
  definition === attribute.messageAuthenticator;
