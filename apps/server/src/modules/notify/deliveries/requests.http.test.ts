import { verifyNotification } from '@simcube/client';
import { endpoints } from '@simcube/contract';
import { type NotificationRequestKind, notificationRequests } from '@simcube/contract/notify';
import { Webhook as Judge } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { emit } from '../../../platform/outbox/index.ts';
import { signedInAs, type TestClient } from '../../../testing/app.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';
import {
  consumeFacts,
  noRequest,
  query,
  startDelivery,
  useWebhookWorld,
  world,
} from '../../../testing/webhook-world.ts';
import { smsReceived } from '../../sms/index.ts';

useWebhookWorld();

const { notify: calls, autoflow } = endpoints;

/** The test's receiver has no certificate, so the stored URL is changed. */
const makeTarget = async (): Promise<{ client: TestClient; id: string; secret: string }> => {
  const client = await signedInAs(world.test, 'admin', world.org);
  const body = { name: 'Hook', url: 'https://hooks.example.test/' };
  const { target, secret } = (await client.call(calls.createApiTarget, { body })).body.data;
  await query('update notification_targets set addresses = array[$2] where id = $1', [
    target.id,
    `${world.origin}/hook`,
  ]);
  return { client, id: target.id, secret };
};

/** The request that was delivered, verified by the client and by the reference implementation. */
const delivered = async (kind: NotificationRequestKind, secret: string): Promise<object> => {
  await startDelivery();
  await expect.poll(() => world.received.length).toBe(1);
  const [{ body, headers } = noRequest] = world.received;
  const now = world.test.clock.now();
  expect(new Judge(secret).sign(String(headers['webhook-id']), now, body)).toBe(headers['webhook-signature']);
  const request = verifyNotification(headers, body, secret, { now });
  expect(() => verifyNotification(headers, `${body} `, secret, { now })).toThrow('signature');
  // Fields that the schema does not know would be missing.
  expect(notificationRequests[kind].request.parse(request)).toEqual(request);
  return request.data;
};

it('a test names its target', async () => {
  const { client, id, secret } = await makeTarget();
  await client.call(calls.tryTarget, { params: { groupId: id } });
  expect(await delivered('test', secret)).toEqual({ target_id: id, target: 'Hook' });
});

it('a rule that is tried out has no id, and nothing fired', async () => {
  const { client, id, secret } = await makeTarget();
  const { iccid } = await makeSim(world.test.database.pool, world.org.id, {});
  const trigger = { kind: 'data-usage', period: 'day', threshold: { unit: 'MB', amount: 5 } } as const;
  const body = { name: 'Trial', event: trigger, iccid, template_id: null, group_id: id };
  await client.call(autoflow.trySend, { body });
  expect(await delivered('autoflow.tried', secret)).toMatchObject({
    rule_id: null,
    rule_name: 'Trial',
    trigger: 'data-usage',
    sims: 1,
    firings: [
      {
        run_id: null,
        iccid,
        happened_at: '2026-11-21T12:00:00.000Z',
        value: 0,
        threshold: 5 * 2 ** 20,
        unit: 'octets',
        since: '2026-11-21T00:00:00.000Z',
      },
    ],
  });
});

it('a forwarded message has its id and its time in UTC', async () => {
  const { id, secret } = await makeTarget();
  const { pool } = world.test.database;
  const sim = await makeSim(pool, world.org.id, {});
  const msisdn = await assignMsisdn(pool, sim.id);
  await query('insert into sms_services values ($1, true, true, null, array[$2::bigint])', [
    world.org.id,
    id,
  ]);
  const at = '2026-11-21T11:59:58.500Z';
  const [message] = await query(
    `insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, address, encoding, parts)
     values ($1, $2, $3, 'TEMP 21.5', true, 5, $4, '4900', 0, 1) returning id`,
    [sim.id, world.org.id, at, msisdn],
  );
  const messageId = Number(message?.['id']);
  const payload = { sims: [{ simId: sim.id, iccid: sim.iccid }], at, messageId };
  await emit(pool, smsReceived, { orgId: world.org.id, payload });
  await consumeFacts('notify.forward-messages');
  const own = `${sim.iccid}-${Date.parse(at)}-${messageId}`;
  expect(await delivered('sms.received', secret)).toEqual({
    message_id: own,
    id: own,
    iccid: sim.iccid,
    msisdn,
    to: '4900',
    content: 'TEMP 21.5',
    encoding: 'gsm7',
    parts: 1,
    missing_parts: 0,
    at,
  });
});
