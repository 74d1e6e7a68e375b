import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AttributeWriter, attribute, openRadiusClient, type RadiusClient, radiusCode } from '@simcube/radius';

const status = { start: 1, stop: 2, interim: 3 } as const;
const rat = { eutran: 6 } as const;
const wordOctets = 2 ** 32;

export interface AccountingFacts {
  imsi: string;
  sessionId: string;
  ip?: string;
  imeisv?: string;
  apn?: string;
  /** MCC and MNC of the serving network, as digits. */
  network?: string;
  up?: number;
  down?: number;
}

/** A packet gateway for the tests: sends accounting and returns whether it was acknowledged. */
export const openGateway = async (): Promise<{
  account: (kind: keyof typeof status, facts: AccountingFacts) => Promise<boolean>;
  close: () => Promise<void>;
}> => {
  const dataDir = process.env['SIMCUBE_E2E_DATA_DIR'] ?? '';
  const secret = (await readFile(join(dataDir, 'demo/radius-secret'), 'utf8')).trim();
  const client: RadiusClient = await openRadiusClient({
    host: '127.0.0.1',
    port: Number(process.env['SIMCUBE_E2E_ACCT_PORT']),
    secret: Buffer.from(secret),
  });
  return {
    account: async (kind, facts) => {
      const reply = await client.send({
        code: radiusCode.accountingRequest,
        attributes: attributesOf(kind, facts),
      });
      return reply.ok;
    },
    close: async () => {
      await client.close();
    },
  };
};

const attributesOf = (kind: keyof typeof status, facts: AccountingFacts): AttributeWriter => {
  const { up = 0, down = 0 } = facts;
  return new AttributeWriter()
    .add(attribute.acctStatusType, status[kind])
    .add(attribute.acctSessionId, facts.sessionId)
    .add(attribute.nasIdentifier, 'story-gateway')
    .add(attribute.userName, facts.imsi)
    .add(attribute.imsi, facts.imsi)
    .addIfKnown(attribute.framedIpAddress, facts.ip)
    .addIfKnown(attribute.calledStationId, facts.apn)
    .addIfKnown(attribute.imeisv, facts.imeisv === undefined ? undefined : Buffer.from(facts.imeisv))
    .addIfKnown(attribute.sgsnMccMnc, facts.network)
    .add(attribute.ratType, rat.eutran)
    .add(attribute.acctInputOctets, up % wordOctets)
    .add(attribute.acctInputGigawords, Math.floor(up / wordOctets))
    .add(attribute.acctOutputOctets, down % wordOctets)
    .add(attribute.acctOutputGigawords, Math.floor(down / wordOctets));
};
