import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { sumOfMtParts } from '../messages/counted.views.ts';
import { readQuota, spendQuota } from '../quota/quota.service.ts';
import { readUsage } from '../quota/quota.views.ts';
import { acceptMessages, type Recipient } from '../sending/send.service.ts';
import { insertText } from '../sending/texts.queries.ts';
import { statusNumber } from '../sms.rules.ts';
import { applyOutcomes } from './outcomes.service.ts';
import { claimParts, takeOver } from './queue.queries.ts';
import { type Outcome, orphaned } from './receipts.rules.ts';

const at = new Date('2026-11-21T12:00:00Z');
const verdict = { reason: 'refused', networkCode: 'ESME_RSYSERR (0x08)' } as const;
const refused = { outcome: 'refused', verdict } as const;
const sent = { outcome: 'sent', messageId: 'A1' } as const;

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/**
 * Accepts one message of three parts and applies these outcomes to them in order. @returns the counts of its day, what
 * waits, and the parts that the quota, and bills and reports count
 */
const countsAfter = async (outcomes: readonly Outcome[]) => {
  const { pool } = database;
  const { id: orgId } = await insertTestOrganisation(pool);
  const { id: simId, iccid } = await makeSim(pool, orgId, {});
  const msisdn = await assignMsisdn(pool, simId);
  const message = { orgId, content: 'ż'.repeat(140), at, task: null, sentBy: null, isScheduled: false };
  await inTransaction(pool, (tx) => acceptMessages(tx, message, [{ simId, iccid, msisdn }]));
  const { rows } = await pool.query<{ id: number }>(
    'select id from sms_parts where sim_id = $1 order by id',
    [simId],
  );
  // Claimed together, as the gateway does.
  await pool.query('insert into sms_claims (part_ids) values ($1)', [rows.map(({ id }) => id)]);
  for (const [place, outcome] of outcomes.entries()) {
    const part = { id: rows[place]?.id ?? 0, destination: msisdn, ...outcome };
    await inTransaction(pool, (tx) => applyOutcomes(tx, [part], at));
  }
  const { mt, mt_parts } = await readUsage(pool, orgId, at);
  const waiting = 'select from sms_parts where sim_id = $1 and state = 0';
  const counted = `select ${sumOfMtParts}::int as parts from sms_messages where sim_id = $1`;
  const charged = (await pool.query<{ parts: number }>(counted, [simId])).rows[0]?.parts;
  const { used } = await readQuota(pool, orgId, at);
  return { mt, mt_parts, waiting: (await pool.query(waiting, [simId])).rowCount, charged, used };
};

it('a message whose SIM is transferred before it is sent is not sent, and is refunded', async () => {
  const { pool } = database;
  const { id: orgId } = await insertTestOrganisation(pool);
  const other = await insertTestOrganisation(pool);
  const message = { orgId, content: 'STATUS', at, task: null, sentBy: null, isScheduled: false };
  const recipients: Recipient[] = [];
  for (let n = 0; n < 2; n += 1) {
    const { id: simId, iccid } = await makeSim(pool, orgId, {});
    recipients.push({ simId, iccid, msisdn: await assignMsisdn(pool, simId) });
  }
  await inTransaction(pool, (tx) => acceptMessages(tx, message, recipients));
  const [moved, own] = recipients;
  await pool.query('update sims set org_id = $2 where id = $1', [moved?.simId, other.id]);
  const epoch = await inTransaction(pool, takeOver);
  const claim = await inTransaction(pool, (tx) => claimParts(tx, { epoch, limit: 10, after: 0, ended: [] }));
  expect(claim?.parts).toMatchObject([{ destination: own?.msisdn, content: 'STATUS' }]);
  const gone = (claim?.orphans ?? []).map((part) => ({ ...part, ...orphaned }));
  await inTransaction(pool, (tx) => applyOutcomes(tx, gone, at));
  const { rows } = await pool.query(
    'select sim_id, status, reason from sms_messages where org_id = $1 order by id',
    [orgId],
  );
  expect(rows).toEqual([
    { sim_id: moved?.simId, status: statusNumber('failed'), reason: 'sim-moved' },
    { sim_id: own?.simId, status: statusNumber('processing'), reason: null },
  ]);
  expect((await readQuota(pool, orgId, at)).used).toBe(1);
});

it('a part of a text to a phone that was not written is not sent once another part was refused', async () => {
  const { pool } = database;
  const { id: orgId } = await insertTestOrganisation(pool);
  const phone = '4915112345678';
  const text = { orgId, phone, content: 'ż'.repeat(140), reference: '7/1', at, parts: 3, sender: null };
  await inTransaction(pool, async (tx) => {
    const { orgIds: chargedOrgIds } = await spendQuota(tx, { orgId, parts: 3, requested: 1, at });
    await insertText(tx, { ...text, chargedOrgIds });
  });
  const waiting = 'select id from sms_parts where destination = $1 order by id';
  const ids = (await pool.query<{ id: number }>(waiting, [phone])).rows.map(({ id }) => id);
  await pool.query('insert into sms_claims (part_ids) values ($1)', [ids]);
  const outcomes = [refused, { outcome: 'not-sent' }, { outcome: 'not-sent' }] as const;
  for (const [place, outcome] of outcomes.entries()) {
    const part = { id: ids[place] ?? 0, destination: phone, ...outcome };
    await inTransaction(pool, (tx) => applyOutcomes(tx, [part], at));
  }
  expect((await pool.query(waiting, [phone])).rows).toEqual([]);
  expect((await readQuota(pool, orgId, at)).used).toBe(0);
});

const busy = { outcome: 'not-sent' } as const;
const unanswered = { outcome: 'unknown' } as const;

describe('the count of a day', () => {
  it('loses a fully refused message once, in whatever order the responses arrive', async () => {
    expect(await countsAfter([refused, refused, refused])).toMatchObject({ mt: 0, mt_parts: 0, waiting: 0 });
  });

  it('retains a message of which a part was sent, whichever part is refused first', async () => {
    for (const outcomes of [
      [refused, sent, refused],
      [sent, refused, refused],
      [refused, unanswered, refused],
    ])
      expect(await countsAfter(outcomes)).toMatchObject({ mt: 1, mt_parts: 1, waiting: 0 });
  });
});

it('the quota, bills and reports count the same parts of a message, also those without a response', async () => {
  const all: Outcome[][] = [[]];
  for (const _ of [1, 2, 3])
    all.push(
      ...all.splice(0).flatMap((some) => [sent, refused, unanswered, busy].map((one) => [...some, one])),
    );
  for (const outcomes of all) {
    const { mt_parts, charged, used } = await countsAfter(outcomes);
    expect([outcomes, charged, used]).toEqual([outcomes, mt_parts, mt_parts]);
  }
});

it('a throttled part waits again, unless its message has failed', async () => {
  expect(await countsAfter([sent, busy, sent])).toMatchObject({ mt: 1, mt_parts: 3, waiting: 1 });
  expect(await countsAfter([sent, refused, busy])).toMatchObject({ mt: 1, mt_parts: 1, waiting: 0 });
  expect(await countsAfter([busy, refused, sent])).toMatchObject({ mt: 1, mt_parts: 1, waiting: 0 });
});
