import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, inTransaction, type Sql } from '../../../platform/db/index.ts';
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
import { type Outcome, withheld } from './receipts.rules.ts';

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

/** What happens to SIMs after a message to them was accepted, and the reason why it is not sent. */
const afterwards = {
  'sim-moved': 'update sims set org_id = $2 where id = $1',
  'sim-ended': 'update sims set lifecycle = 50 where id = $1 and org_id <> $2',
  'sim-suspended': 'update sims set sms_suspended = true where id = $1 and org_id <> $2',
} as const;

/** SIMs of an organisation, to each of which something happens once `accept` has accepted messages; the last one stays. */
const sendToChangedSims = async (
  accept: (tx: Sql, orgId: number, recipients: readonly Recipient[]) => Promise<void>,
) => {
  const { pool } = database;
  const { id: orgId } = await insertTestOrganisation(pool);
  const other = await insertTestOrganisation(pool);
  const changes = [...Object.values(afterwards), undefined];
  const recipients: Recipient[] = [];
  for (const _ of changes) {
    const { id: simId, iccid } = await makeSim(pool, orgId, {});
    recipients.push({ simId, iccid, msisdn: await assignMsisdn(pool, simId) });
  }
  await inTransaction(pool, (tx) => accept(tx, orgId, recipients));
  for (const [index, change] of changes.entries())
    if (change) await pool.query(change, [recipients[index]?.simId, other.id]);
  const epoch = await inTransaction(pool, takeOver);
  const claim = await inTransaction(pool, (tx) =>
    claimParts(tx, { epoch, limit: 10, after: 0, ended: [], overdueBefore: at }),
  );
  expect(claim?.parts).toMatchObject([{ destination: recipients.at(-1)?.msisdn, content: 'STATUS' }]);
  expect(claim?.withheld.map(({ reason }) => reason)).toEqual(Object.keys(afterwards));
  const refusals = claim?.withheld.map(({ reason, ...part }) => ({ ...part, ...withheld(reason) })) ?? [];
  await inTransaction(pool, (tx) => applyOutcomes(tx, refusals, at));
  // What would be sent is never looked at again.
  await pool.query('delete from sms_claims');
  await pool.query('delete from sms_parts');
  return { orgId, used: (await readQuota(pool, orgId, at)).used };
};

it('a message whose SIM may no longer be sent it is not sent, and is refunded', async () => {
  const { orgId, used } = await sendToChangedSims(async (tx, orgId, recipients) => {
    const message = { orgId, content: 'STATUS', at, task: null, sentBy: null, isScheduled: false };
    await acceptMessages(tx, message, recipients);
  });
  const { rows } = await database.pool.query(
    'select status, reason from sms_messages where org_id = $1 order by id',
    [orgId],
  );
  expect(rows).toEqual([
    ...Object.keys(afterwards).map((reason) => ({ status: statusNumber('failed'), reason })),
    { status: statusNumber('processing'), reason: null },
  ]);
  expect(used).toBe(1);
});

it('a text to a phone whose SIM may no longer be sent it is not sent, and is refunded', async () => {
  const { orgId, used } = await sendToChangedSims(async (tx, orgId, recipients) => {
    for (const { msisdn } of recipients) {
      const { orgIds: chargedOrgIds } = await spendQuota(tx, { orgId, parts: 1, requested: 1, at });
      const text = { phone: msisdn, content: 'STATUS', reference: msisdn, at, parts: 1, sender: null };
      await insertText(tx, { orgId, ...text, chargedOrgIds });
    }
  });
  const { rows } = await database.pool.query(
    'select failed_at from sms_texts where org_id = $1 order by id',
    [orgId],
  );
  expect(rows.map(({ failed_at: failedAt }) => failedAt)).toEqual([at, at, at, null]);
  expect(used).toBe(1);
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
