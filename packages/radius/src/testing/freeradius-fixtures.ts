import { readFileSync } from 'node:fs';

export interface RecordedPacket {
  name: string;
  hex: string;
  /** For replies: our request. */
  requestHex?: string;
  /** Values by attribute name, as `describeAttributes` writes them. */
  attributes: Record<string, string>;
}

export interface RecordedPackets {
  recordedFrom: string;
  secret: string;
  packets: RecordedPacket[];
}

export const loadRecordedPackets = (): RecordedPackets =>
  JSON.parse(
    readFileSync(new URL('../../fixtures/freeradius-packets.json', import.meta.url), 'utf8'),
  ) as RecordedPackets;
