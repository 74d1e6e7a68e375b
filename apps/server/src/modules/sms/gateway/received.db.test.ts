import { limits } from '@simcube/contract';
import { addressOf, esmClass, type MessageBody } from '@simcube/smpp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { listIgnoredSenders } from './received.queries.ts';
import { applyIncomplete, applyReceived } from './received.service.ts';

const began = new Date('2026-11-21T12:00:00Z');
const after = (minutes: number) => new Date(began.getTime() + minutes * 60_000);

let database: Database;
let org: Awaited<ReturnType<typeof insertTestOrganisation>>;
let simId: number;
let msisdn: string;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  org = await insertTestOrganisation(database.pool);
  ({ id: simId } = await makeSim(database.pool, org.id, {}));
  msisdn = await assignMsisdn(database.pool, simId);
});

/** Receives a part of a two-part message under one reference, this many minutes after the first. */
const receive = (sequence: 1 | 2, text: string, minutes = 0) =>
  receiveOctets([5, 0, 3, 9, 2, sequence], Buffer.from(text, 'latin1'), minutes);
const receiveOctets = (header: readonly number[], octets: Buffer, minutes = 0, dataCoding = 3) => {
  const message: MessageBody = {
    serviceType: '',
    source: addressOf(msisdn),
    destination: addressOf('4900'),
    esmClass: esmClass.userDataHeader,
    protocolId: 0,
    priority: 0,
    scheduleDeliveryTime: '',
    validityPeriod: '',
    registeredDelivery: 0,
    replaceIfPresent: 0,
    dataCoding,
    defaultMessageId: 0,
    tlvs: [],
    shortMessage: Buffer.concat([Buffer.from(header), octets]),
  };
  return inTransaction(database.pool, (tx) => applyReceived(tx, [message], after(minutes)));
};
const look = (minutes: number) => inTransaction(database.pool, (tx) => applyIncomplete(tx, after(minutes)));
const texts = async () =>
  (
    await database.pool.query<{ content: string }>(
      'select content from sms_messages where sim_id = $1 order by at, id',
      [simId],
    )
  ).rows.map(({ content }) => content);
const kept = async () =>
  (await database.pool.query('select from sms_received_parts where source = $1', [msisdn])).rowCount;

describe('a part of a long message', () => {
  it('that is repeated after its message was stored does not start another message', async () => {
    await receive(1, 'Hello');
    await receive(2, ' World');
    await receive(2, ' World', 1);
    await look(12);
    expect(await texts()).toEqual(['Hello World']);
    expect(await kept()).toBe(0);
  });

  it('belongs to another message if its content differs under the same reference', async () => {
    await receive(1, 'Alarm: ');
    await receive(2, 'open');
    await receive(2, 'shut', 2);
    await receive(1, 'Alarm: ', 3);
    await receive(1, 'Reset ', 4);
    await receive(2, 'done', 5);
    expect(await texts()).toEqual(['Alarm: open', 'Alarm: shut', 'Reset done']);
    await look(16);
    expect(await texts()).toHaveLength(3);
  });

  it('waits ten minutes for the others, with the repeated beginning of the previous message', async () => {
    await receive(1, 'Alarm: ');
    await receive(2, 'open');
    await receive(1, 'Alarm: ', 8);
    await receive(2, 'shut', 9);
    expect(await texts()).toEqual(['Alarm: open', 'Alarm: shut']);
    await receive(2, 'gone', 15);
    await look(20);
    expect(await texts()).toHaveLength(2);
    await look(26);
    expect(await texts()).toEqual(['Alarm: open', 'Alarm: shut', '[…]gone']);
    await look(40);
    expect(await kept()).toBe(0);
  });

  it('is stored again if the whole message is repeated, as a message of one part is', async () => {
    for (const minutes of [0, 1]) {
      await receive(1, 'Hello', minutes);
      await receive(2, ' World', minutes);
    }
    expect(await texts()).toEqual(['Hello World', 'Hello World']);
  });

  it('is shown separately if two messages under one reference are interleaved', async () => {
    await receive(1, 'Door ');
    await receive(1, 'Tank ');
    await receive(2, 'open');
    await receive(1, 'Tank ', 1);
    await receive(2, 'empty', 1);
    expect(await texts()).toEqual(expect.arrayContaining(['Door […]', 'Tank […]', '[…]open', '[…]empty']));
    await look(12);
    expect(await texts()).toHaveLength(4);
    expect(await kept()).toBe(0);
    await receive(1, 'Door ', 13);
    await receive(2, 'shut', 13);
    expect((await texts()).at(-1)).toBe('Door shut');
  });

  it('that is waiting is not lost when the next message under the reference starts', async () => {
    await receive(1, 'Door ');
    await receive(1, 'Tank ', 8);
    expect(await texts()).toEqual(['Door […]', 'Tank […]']);
  });

  it('that was stored with its message is not stored separately when it is repeated', async () => {
    await receive(1, 'Alarm: ');
    await receive(2, 'open');
    await receive(1, 'Alarm: ', 1);
    await receive(1, 'Reset ', 2);
    await receive(2, 'open', 2);
    expect(await texts()).toEqual(['Alarm: open', 'Reset […]']);
  });
});

describe('a message of a device', () => {
  it.each([
    ['text', 'latin1', 3],
    ['UCS-2', 'utf16le', 8],
    ['binary', 'hex', 4],
  ] as const)(
    'that is longer than any is cut, and ends in a sign of it: %s',
    async (_, encoding, dataCoding) => {
      const most = limits.sms.received;
      const whole = (encoding === 'hex' ? 'AB' : '7x').repeat(most / 2);
      const octetsOf = (text: string) => {
        const octets = Buffer.from(text, encoding);
        return encoding === 'utf16le' ? octets.swap16() : octets;
      };
      const noHeader = [0];
      await receiveOctets(noHeader, octetsOf(whole), 0, dataCoding);
      await receiveOctets(noHeader, octetsOf(`${whole}AB`), 1, dataCoding);
      for (const sequence of [1, 2])
        await receiveOctets([5, 0, 3, 9, 2, sequence], octetsOf(`${whole.slice(2)}AB`), 2, dataCoding);
      expect(await texts()).toEqual([
        whole,
        `${whole}[…]`,
        `${`${whole.slice(2)}AB${whole}`.slice(0, most)}[…]`,
      ]);
      const { rows: facts } = await database.pool.query<{ most: number }>(
        `select max(length(payload->'message'->>'content')) as most from outbox
       where topic = 'sms.received' and payload->'sims'->0->>'simId' = $1`,
        [simId],
      );
      expect(facts).toEqual([{ most: most + '[…]'.length }]);
    },
  );
});

describe('a message of an organisation that may not receive', () => {
  it('is counted with its sender, and not stored', async () => {
    const mayReceive = (may: boolean) =>
      database.pool.query(
        `insert into sms_services (org_id, can_send, can_receive) values ($1, true, $2)
         on conflict (org_id) do update set can_receive = excluded.can_receive`,
        [org.id, may],
      );
    await mayReceive(false);
    await receive(1, 'Hel');
    await receive(2, 'lo', 1);
    expect(await texts()).toEqual([]);
    const [sender] = (await listIgnoredSenders(database.pool)).filter(({ address }) => address === msisdn);
    expect(sender).toMatchObject({ messages: 1, not_receiving: org.code, last_at: after(1) });
    await mayReceive(true);
    await receiveOctets([5, 0, 3, 10, 1, 1], Buffer.from('Hi', 'latin1'), 2);
    expect(await texts()).toEqual(['Hi']);
  });
});
