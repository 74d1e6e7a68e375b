import { verifyNotification } from '@simcube/client';
import { endpoints, type RequestOf } from '@simcube/contract';
import { type NewTrigger, type TriggerKind, triggerKinds } from '@simcube/contract/autoflow';
import { notificationRequests } from '@simcube/contract/notify';
import type { Lifecycle } from '@simcube/contract/sim';
import { dayMs, minuteMs } from '@simcube/contract/time';
import { attribute, codeName, radiusCode, readAttribute } from '@simcube/radius';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestClient } from '../../testing/app.ts';
import { firingsOf } from '../../testing/autoflow-rules.ts';
import { bundleOf } from '../../testing/bundles.ts';
import { importRecords } from '../../testing/cdrs.ts';
import { assignMsisdn, makeSim } from '../../testing/inventory.ts';
import { runJobs } from '../../testing/jobs.ts';
import { testNetwork } from '../../testing/network.ts';
import { startPeers } from '../../testing/peers.ts';
import { applyPrices, makePricedBundles, tariff } from '../../testing/prices.ts';
import { type AccountingPacket, attributesOf, sendAccounting } from '../../testing/radius.ts';
import { upload } from '../../testing/upload.ts';
import { createBundle } from '../bundle/index.ts';
import { orderBundle } from '../bundle/lifecycle/ordering.service.ts';
import { lifecycleOf, syncNetworks } from '../sim/index.ts';

const { autoflow, notify } = endpoints;
const soon = { timeout: 15_000, interval: 50 };
const begin = Date.parse('2026-11-21T06:00:00Z');
const mb = 2 ** 20;

/** One SIM for each scope that contains it; the rule on all SIMs has the first one to itself. */
const scopeKinds = ['all', 'tags', 'product-type', 'uploaded', 'manual'] as const;
type ScopeKind = (typeof scopeKinds)[number];
interface Sim {
  id: number;
  iccid: string;
  imsi: string;
  msisdn: string;
}

const { test, gateway, server, close } = await testNetwork();
const { pool } = test.database;
const peers = await startPeers(test);
afterAll(async () => {
  await peers.close();
  await close();
});
beforeAll(async () => {
  test.clock.set(new Date(begin));
  await syncNetworks(pool);
  await ensurePartitions(pool, new Date(begin - 20 * dayMs), new Date(begin + 2 * dayMs));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool);
  const priced = { activation: '1', cycle: '4.99', over: '0.015' };
  const postpaid = { type: 'postpaid bundle', quota_bytes: 500 * mb, overage_policy: 'billing' } as const;
  await createBundle(
    pool,
    bundleOf({ code: 'METER', ...postpaid, out_of_coverage_policy: 'billing', coverage_countries: ['DE'] }),
  );
  const versions = [
    { starts_on: '2026-01-01', bundles: { EU: priced, METER: priced }, zones: { asia: '1', rest: '1' } },
  ];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['operator'] });
});

interface Fleet {
  kind: TriggerKind;
  orgId: number;
  admin: TestClient;
  sims: ReadonlyMap<ScopeKind, Sim>;
}

/** An organisation with a SIM for each scope, whose bundles have begun. */
const makeFleet = async (kind: TriggerKind, lifecycle: Lifecycle): Promise<Fleet> => {
  const org = await makeOrganisation(test, { code: kind, parentCode: 'operator' });
  const admin = await signedInAs(test, 'admin', org);
  const now = test.clock.now();
  const sims = new Map<ScopeKind, Sim>();
  for (const scope of scopeKinds) {
    const tags = scope === 'tags' ? ['meter'] : [];
    const made = await makeSim(pool, org.id, { lifecycle, tags, activatedAt: now.toISOString() });
    sims.set(scope, { ...made, msisdn: await assignMsisdn(pool, made.id) });
    const bundleCode = scope === 'product-type' ? 'METER' : 'EU';
    await inTransaction(pool, (tx) => orderBundle(tx, { iccids: [made.iccid], bundleCode, count: 1, now }));
  }
  return { kind, orgId: org.id, admin, sims };
};

const simOf = ({ sims }: Fleet, scope: ScopeKind): Sim => {
  const sim = sims.get(scope);
  if (!sim) throw new Error(`No SIM for the scope ${scope}`);
  return sim;
};
const listSims = ({ sims }: Fleet): Sim[] => [...sims.values()];
const sessionOf = (sim: Sim, run = 1): string => `S${sim.id}-${run}`;

/** Sends a packet for each SIM, a minute after the previous one. */
const tell = async (
  fleet: Fleet,
  status: 'start' | 'interim' | 'stop',
  more: Partial<AccountingPacket> & { run?: number } = {},
) => {
  test.clock.advance(minuteMs);
  const { run, ...rest } = more;
  for (const sim of listSims(fleet)) {
    const packet = { imsi: sim.imsi, session: sessionOf(sim, run), at: test.clock.now() };
    const ip = `10.77.${sim.id >> 8}.${sim.id & 255}`;
    expect(await sendAccounting(server.acct, status, { ...packet, ip, ...rest })).toBe(true);
  }
};
/** Runs a scheduled job, if it is due. */
const runAtMinute = async (job: string) => {
  await pool.query('select graphile_worker.add_job($1, $2)', [job, '{}']);
  const handlers = test.wiring.jobs.filter(({ job: { cron } }) => cron !== undefined);
  expect(await runJobs(test.database, handlers)).toBeGreaterThan(0);
};

const queuedJobs = async (name: string): Promise<number> =>
  (
    await pool.query(
      `select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = $1`,
      [name],
    )
  ).rowCount ?? 0;

interface Case {
  trigger: NewTrigger;
  /** Previous lifecycle of the SIMs; active if omitted. */
  lifecycle?: Lifecycle;
  /** They have no session when it fires. */
  isOffline?: true;
  before?: (fleet: Fleet) => Promise<unknown>;
  happen: (fleet: Fleet) => Promise<unknown>;
}
const start = (fleet: Fleet) => tell(fleet, 'start');
const use = (fleet: Fleet) => tell(fleet, 'interim', { up: 40_000 });

const cases: Record<TriggerKind, Case> = {
  'status-change': {
    trigger: { kind: 'status-change', from: 'paused', to: ['active'] },
    lifecycle: 'paused',
    isOffline: true,
    happen: async (fleet) => {
      const iccids = listSims(fleet).map(({ iccid }) => iccid);
      const { body } = await fleet.admin.call(endpoints.sim.resume, { body: { selection: { iccids } } });
      expect(body.status.code).toBe('CB-00-0000');
    },
  },
  'data-usage': {
    trigger: { kind: 'data-usage', period: 'day', threshold: { unit: 'KB', amount: 30 } },
    before: start,
    happen: use,
  },
  'sms-mt': {
    trigger: { kind: 'sms-mt', period: 'day', count: 1 },
    before: start,
    happen: async (fleet) => {
      const iccids = listSims(fleet).map(({ iccid }) => iccid);
      const { body } = await fleet.admin.call(endpoints.sms.send, {
        body: { selection: { iccids }, content: 'STATUS' },
      });
      expect(body.status.code).toBe('CB-00-0000');
    },
  },
  'sms-mo': {
    trigger: { kind: 'sms-mo', period: 'month', count: 1 },
    before: start,
    happen: async (fleet) => {
      for (const { msisdn } of listSims(fleet)) peers.smsc.send(msisdn, 'ALARM');
    },
  },
  'imei-change': {
    trigger: { kind: 'imei-change', to: 'model' },
    before: (fleet) => tell(fleet, 'start', { imei: '4901542032375180' }),
    happen: (fleet) => tell(fleet, 'start', { run: 2 }),
  },
  'first-use': {
    trigger: { kind: 'first-use', unused_days: null },
    happen: async (fleet) => {
      await start(fleet);
      await use(fleet);
    },
  },
  'lifecycle-expiry': {
    trigger: { kind: 'lifecycle-expiry', days: 2 },
    before: async (fleet) => {
      await start(fleet);
      const at = new Date(test.clock.now().getTime() + 2 * dayMs + 60 * minuteMs);
      await pool.query('update sims set expires_at = $2 where org_id = $1', [fleet.orgId, at]);
    },
    happen: async () => {
      test.clock.advance(90 * minuteMs);
      await runAtMinute('autoflow.find-times');
    },
  },
  silent: {
    trigger: { kind: 'silent', hours: 1 },
    isOffline: true,
    before: async (fleet) => {
      await start(fleet);
      await tell(fleet, 'stop');
    },
    happen: async ({ orgId }) => {
      // Advances no further than needed, or requests in progress would become overdue.
      while ((await firingsOf(pool, orgId)).length === 0) {
        test.clock.advance(5 * minuteMs);
        await runAtMinute('autoflow.find-times');
        await expect.poll(() => queuedJobs('autoflow.judge-times'), soon).toBe(0);
      }
    },
  },
  country: {
    trigger: { kind: 'country', change: 'entered', countries: ['ES'] },
    before: start,
    happen: (fleet) => tell(fleet, 'interim', { network: { mcc: '214', mnc: '07' } }),
  },
  sessions: { trigger: { kind: 'sessions', per_hour: 1 }, happen: start },
  cost: {
    trigger: { kind: 'cost', currency: 'EUR', amount_minor: 5000 },
    before: start,
    happen: async (fleet) => {
      await tell(fleet, 'interim', { network: { mcc: '440', mnc: '10' }, up: 100 * mb });
      await runAtMinute('price.keep-costs');
    },
  },
  'unusual-usage': {
    trigger: { kind: 'unusual-usage', multiple: 3 },
    before: async (fleet) => {
      const days = Array.from({ length: 14 }, (_, day) => new Date(begin - (day + 1) * dayMs).toISOString());
      await importRecords(
        test,
        listSims(fleet).flatMap(({ iccid }) =>
          days.map((ended_at) => ({ iccid, ended_at, up_bytes: 1000, down_bytes: 0 })),
        ),
      );
      await start(fleet);
    },
    happen: use,
  },
};

type NewRule = RequestOf<typeof autoflow.create>['body'];

/** A rule for each scope: on all SIMs it notifies, on the others it changes its SIM. @returns the secret of requests */
const makeRules = async (fleet: Fleet, trigger: NewTrigger): Promise<string> => {
  const { kind, admin } = fleet;
  const group = await admin.call(notify.createGroup, { body: { name: 'Desk', emails: [mailOf(kind)] } });
  const phones = await admin.call(notify.createSmsGroup, {
    body: { name: 'On call', phones: [phoneOf(kind)] },
  });
  const target = await admin.call(notify.createApiTarget, {
    body: { name: 'Program', url: 'https://hooks.example.test/' },
  });
  const { secret } = target.body.data;
  // The receiver has no certificate, so the stored address is changed.
  await pool.query('update notification_targets set addresses = array[$2] where id = $1', [
    target.body.data.target.id,
    `${peers.origin}/${kind}`,
  ]);
  const content = `ICCID\n${simOf(fleet, 'uploaded').iccid}\n`;
  const call = { endpoint: autoflow.validateScopeFile, params: {}, name: 'sims.csv', content };
  const { upload_id, digest } = (await upload(test, admin, call)).body.data;
  const fired = { kind: 'add-tag', tag: 'fired' } as const;
  const rules: Record<ScopeKind, Pick<NewRule, 'scope' | 'actions'>> = {
    all: {
      scope: { kind: 'all' },
      actions: [
        { kind: 'mail', group_id: group.body.data.id, template_id: null },
        { kind: 'sms', group_id: phones.body.data.id, template_id: null },
        { kind: 'api', group_id: target.body.data.target.id },
      ],
    },
    tags: { scope: { kind: 'tags', tags: ['meter'] }, actions: [{ kind: 'data-off' }, fired] },
    'product-type': {
      scope: { kind: 'product-type', types: ['postpaid bundle'] },
      actions: [{ kind: 'slow', kbps: 128 }, fired],
    },
    uploaded: {
      scope: { kind: 'uploaded', file: { upload_id: upload_id ?? '', digest } },
      actions: [{ kind: 'suspend-mt-sms' }, fired, { kind: 'terminate-order' }],
    },
    manual: {
      scope: { kind: 'manual', iccids: [simOf(fleet, 'manual').iccid] },
      actions: [{ kind: 'suspend' }, fired],
    },
  };
  for (const [name, rule] of Object.entries(rules)) {
    const rest = { active_from: null, active_until: null, group_minutes: null, enabled: true };
    const { body } = await admin.call(autoflow.create, { body: { name, trigger, ...rule, ...rest } });
    expect(body.status.code).toBe('CB-00-0000');
  }
  return secret;
};
const mailOf = (kind: TriggerKind): string => `${kind}@example.test`;
const phoneOf = (kind: TriggerKind): string => `49151${String(triggerKinds.indexOf(kind)).padStart(8, '0')}`;

/** The effects on the SIMs, from the database and the network. */
const effectsOn = async (fleet: Fleet) => {
  const { rows } = await pool.query<{ id: number; lifecycle: number; tags: string[]; suspended: boolean }>(
    'select id, lifecycle, tags, sms_suspended as suspended from sims where org_id = $1',
    [fleet.orgId],
  );
  const of = async (scope: ScopeKind) => {
    const { id, imsi } = simOf(fleet, scope);
    const sim = rows.find((row) => row.id === id);
    const attributes = attributesOf({ imsi, calledStationId: 'iot.example' });
    const reply = await server.auth.send({ code: radiusCode.accessRequest, attributes });
    const accepted = reply.ok && reply.packet.code === radiusCode.accessAccept ? reply.packet : undefined;
    return {
      lifecycle: sim && lifecycleOf(sim.lifecycle),
      tagged: sim?.tags.includes('fired'),
      mtSuspended: sim?.suspended,
      access: accepted ? (readAttribute(accepted, attribute.wisprBandwidthMaxDown) ?? 'full') : 'rejected',
    };
  };
  return Object.fromEntries(
    await Promise.all(scopeKinds.map(async (scope) => [scope, await of(scope)] as const)),
  );
};
const ordersTo = (fleet: Fleet) =>
  Object.fromEntries(
    scopeKinds.map((scope) => {
      const session = sessionOf(simOf(fleet, scope), fleet.kind === 'imei-change' ? 2 : 1);
      const of = gateway.received.filter(
        (packet) => readAttribute(packet, attribute.acctSessionId) === session,
      );
      return [scope, [...new Set(of.map(({ code }) => codeName(code)))]];
    }),
  );

const firingStates = ['waiting', 'done', 'failed'] as const;
const countFirings = async ({ orgId }: Fleet): Promise<Record<string, number>> => {
  const { rows } = await pool.query<{ state: number; count: number }>(
    'select state, count(*)::int as count from autoflow_firings where org_id = $1 group by 1',
    [orgId],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [firingStates[state], count]));
};

/** The SIMs that the texts are about, in the order of scopes. */
const namedIn = (fleet: Fleet, texts: readonly string[]) =>
  scopeKinds.map((scope) => texts.filter((text) => text.includes(simOf(fleet, scope).iccid)).length);
const onceEach = scopeKinds.map(() => 1);

describe('a rule on each scope, with real packets, messages and hours', () => {
  it.each(triggerKinds)(
    'notifies by mail, message and request, and has each operation done: %s',
    {
      timeout: 60_000,
    },
    async (kind) => {
      const { trigger, lifecycle = 'active', isOffline = false, before, happen } = cases[kind];
      const fleet = await makeFleet(kind, lifecycle);
      await before?.(fleet);
      test.clock.advance(minuteMs);
      const secret = await makeRules(fleet, trigger);
      test.clock.advance(minuteMs);
      await happen(fleet);
      const untouched = { lifecycle: 'active', tagged: false, mtSuspended: false, access: 'full' };
      await expect
        .poll(() => effectsOn(fleet), soon)
        .toEqual({
          all: untouched,
          tags: { ...untouched, tagged: true, access: 'rejected' },
          'product-type': { ...untouched, tagged: true, access: 128_000 },
          uploaded: { lifecycle: 'expired', tagged: true, mtSuspended: true, access: 'rejected' },
          manual: { ...untouched, lifecycle: 'paused', tagged: true, access: 'rejected' },
        });
      await expect
        .poll(() => ordersTo(fleet), soon)
        .toEqual({
          all: [],
          ...(isOffline
            ? { tags: [], 'product-type': [], uploaded: [], manual: [] }
            : {
                tags: ['Disconnect-Request'],
                'product-type': ['CoA-Request'],
                uploaded: ['Disconnect-Request'],
                manual: ['Disconnect-Request'],
              }),
        });
      const mails = () =>
        peers.mails
          .filter(({ receivers }) => receivers.includes(mailOf(kind)))
          .map(({ mail }) => mail.text ?? '');
      await expect.poll(() => namedIn(fleet, mails()), soon).toEqual(onceEach);
      const texts = () => peers.texts.filter(({ to }) => to === phoneOf(kind)).map(({ text }) => text);
      await expect.poll(() => namedIn(fleet, texts()), soon).toEqual(onceEach);
      const requests = () => peers.requests.filter(({ path }) => path === `/${kind}`);
      const bodies = () => requests().map(({ body }) => body);
      await expect.poll(() => namedIn(fleet, bodies()), soon).toEqual(onceEach);
      for (const { body, headers } of requests()) {
        const request = verifyNotification(headers, body, secret, { now: test.clock.now() });
        expect(notificationRequests['autoflow.fired'].request.parse(request)).toEqual(request);
        expect(request.data).toMatchObject({ trigger: kind, sims: 1, firings: [{}] });
      }
      await expect.poll(() => countFirings(fleet), soon).toEqual({ done: 9 });
    },
  );
});
