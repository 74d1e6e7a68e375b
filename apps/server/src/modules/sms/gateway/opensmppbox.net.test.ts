import { randomBytes } from 'node:crypto';
import { type Smsc, startSmsc } from '@simcube/smpp/testing';
import {
  isOpensmppboxInstalled,
  type Opensmppbox,
  startOpensmppbox,
} from '@simcube/smpp/testing/opensmppbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../../platform/clock/index.ts';
import { createListener, type Database, inTransaction, type Listener } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { operatorActor } from '../../audit/index.ts';
import { addConnection } from '../connections/connections.service.ts';
import { acceptMessages } from '../sending/send.service.ts';
import { SmsGateway } from './gateway.ts';

const soon = { timeout: 60_000, interval: 50 };

describe.runIf(isOpensmppboxInstalled)("the gateway with Kannel's opensmppbox as its SMSC", () => {
  const account = { systemId: 'simcube', password: 'pass-wor' };
  const vault = vaultOf(randomBytes(32));
  let database: Database;
  let listener: Listener;
  let network: Smsc;
  let box: Opensmppbox;
  let gateway: SmsGateway;
  let orgId: number;

  beforeAll(async () => {
    database = await testDatabase({ max: 6 });
    const log = createLog({ level: 'silent', format: 'json' });
    listener = createListener(database.url, log);
    orgId = (await insertTestOrganisation(database.pool)).id;
    network = await startSmsc({
      onSubmit: (submit, session, count) => {
        session.send(submit.response({ message_id: `N${count}` }));
        const { message } = submit['short_message'] as { message: string };
        const state = message === 'LOST' ? 'UNDELIV' : 'DELIVRD';
        session.deliver_sm({
          source_addr: submit['destination_addr'],
          destination_addr: submit['source_addr'],
          esm_class: 4,
          short_message: `id:N${count} sub:001 dlvrd:001 submit date:2611230010 done date:2611230010 stat:${state} err:027 text:`,
        });
      },
    });
    box = await startOpensmppbox({ smscPort: network.port, account });
    const { pool } = database;
    await addConnection(
      { pool, clock, vault, actor: operatorActor() },
      {
        name: 'kannel',
        bind: 'transceiver',
        host: '127.0.0.1',
        port: box.port,
        tls: false,
        sender: '4900',
        priority: 0,
        window_size: 10,
        rate_per_second: null,
        system_id: account.systemId,
        system_type: '',
      },
      account.password,
    );
    gateway = new SmsGateway({ pool, clock, log, metrics: createMetrics(), vault, listener });
    await gateway.start();
  });
  afterAll(async () => {
    await gateway.stop();
    await box.stop();
    await network.close();
    await listener.close();
    await database.close();
  });

  const recipient = async () => {
    const { id: simId, iccid } = await makeSim(database.pool, orgId, {});
    return { simId, iccid, msisdn: await assignMsisdn(database.pool, simId) };
  };
  type Recipient = Awaited<ReturnType<typeof recipient>>;
  const send = (recipients: readonly Recipient[], content: string) =>
    inTransaction(database.pool, (tx) => {
      const outgoing = { orgId, content, at: clock.now(), task: null, sentBy: null, isScheduled: false };
      return acceptMessages(tx, outgoing, recipients);
    });
  const messagesOf = async ({ simId }: Recipient) => {
    const { rows } = await database.pool.query(
      `select status, reason, network_code, content, reply_to_id, sent_parts, delivered_parts from sms_messages
       where sim_id = $1 order by id`,
      [simId],
    );
    return rows;
  };
  const left = async () => {
    const open = 'select id from sms_parts union all select id from sms_early_receipts';
    return (await database.pool.query(open)).rowCount;
  };

  it('settles messages of one or several parts, and undelivered ones', async () => {
    const [gsm, long, lost] = [await recipient(), await recipient(), await recipient()];
    await send([gsm], 'STATUS [€]');
    await send([long], `中文 ${'один два '.repeat(13)}`);
    await send([lost], 'LOST');
    await expect.poll(() => messagesOf(gsm), soon).toMatchObject([{ status: 2, delivered_parts: 1 }]);
    await expect.poll(() => messagesOf(long), soon).toMatchObject([{ status: 2, delivered_parts: 2 }]);
    await expect
      .poll(() => messagesOf(lost), soon)
      .toMatchObject([{ status: 3, reason: 'undeliverable', network_code: '027' }]);
    expect(await left()).toBe(0);
  });

  it('settles many to one number, each by its own receipt', async () => {
    const to = await recipient();
    for (let nth = 1; nth <= 5; nth += 1) await send([to], nth === 3 ? 'LOST' : `STATUS ${nth}`);
    await expect
      .poll(async () => (await messagesOf(to)).map(({ content, status }) => [content, status]), soon)
      .toEqual([
        ['STATUS 1', 2],
        ['STATUS 2', 2],
        ['LOST', 3],
        ['STATUS 4', 2],
        ['STATUS 5', 2],
      ]);
    expect(await left()).toBe(0);
  });

  it('stores a device’s message as the reply to the last message', async () => {
    const to = await recipient();
    const [sent] = await send([to], 'STATUS');
    await expect.poll(() => messagesOf(to), soon).toMatchObject([{ status: 2 }]);
    network.sessions.at(-1)?.deliver_sm({
      source_addr: to.msisdn,
      destination_addr: '4900',
      data_coding: 8,
      short_message: 'ОК 😀',
    });
    await expect
      .poll(async () => (await messagesOf(to)).slice(1), soon)
      .toMatchObject([{ content: 'ОК 😀', reply_to_id: sent?.id }]);
  });

  it('sends messages accepted during its downtime once it is back', async () => {
    await box.kill();
    const to = await recipient();
    await send([to], 'AFTER');
    await box.restart();
    await expect.poll(() => messagesOf(to), soon).toMatchObject([{ status: 2, sent_parts: 1 }]);
    expect(network.submits.filter((submit) => submit['destination_addr'] === to.msisdn)).toHaveLength(1);
    expect(await left()).toBe(0);
  });
});
