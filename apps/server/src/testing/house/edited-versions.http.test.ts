import { allEndpoints, endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../app.ts';
import { makeSim } from '../inventory.ts';
import { shapeOf } from './call-endpoint.ts';

/** Wherever people edit, saving over another person's concurrent change is refused. */

const { autoflow, notify, schedule } = endpoints;
let test: TestApp;
let admin: TestClient;
let iccid: string;

beforeAll(async () => {
  test = await testApp();
  const org = await makeOrganisation(test, { code: 'own' });
  ({ iccid } = await makeSim(test.database.pool, org.id));
  admin = await signedInAs(test, 'admin', org);
});
afterAll(() => test.close());

const emails = ['ops@example.test'];
const phones = ['4915112345678'];
const url = 'https://hooks.example.test/';
const texts = { 'en-US': { subject: 'About {{iccid}}', text: 'Look.', sms: 'Look.' } };
const rule = () => ({
  trigger: { kind: 'silent', hours: 48 } as const,
  scope: { kind: 'all' } as const,
  actions: [{ kind: 'add-tag' as const, tag: 'silent' }],
  active_from: null,
  active_until: null,
  group_minutes: null,
});
const message = {
  content: '#CLK',
  when: { mode: 'once', at: '2027-01-01T06:30' },
  time_zone: 'Europe/Madrid',
  groupId: null,
  only_failures: false,
} as const;

interface Answer {
  body: { status: { code: string }; data: unknown };
}
interface EditedResource {
  make: (name: string) => Promise<{ id: string; version: number }>;
  save: (id: string, name: string, version: number | undefined) => Promise<Answer>;
  /** The code of its refusal. */
  refused: string;
}
const dataOf = async <T>(answer: Promise<{ body: { data: T } }>): Promise<T> => (await answer).body.data;

const edits: Record<string, EditedResource> = {
  'autoflow.update': {
    make: (name) => dataOf(admin.call(autoflow.create, { body: { ...rule(), name } })),
    save: (ruleId, name, version = 0) =>
      admin.call(autoflow.update, { body: { ...rule(), name, ruleId, version } }),
    refused: 'CB-05-0012',
  },
  'autoflow.updateTemplate': {
    make: (name) => dataOf(admin.call(autoflow.createTemplate, { body: { name, texts } })),
    save: (templateId, name, version) =>
      admin.call(autoflow.updateTemplate, { body: { templateId, name, texts, version } }),
    refused: 'CB-00-0409',
  },
  'notify.updateGroup': {
    make: (name) => dataOf(admin.call(notify.createGroup, { body: { name, emails } })),
    save: (groupId, name, version) =>
      admin.call(notify.updateGroup, { body: { groupId, name, emails, version } }),
    refused: 'CB-00-0409',
  },
  'notify.updateSmsGroup': {
    make: (name) => dataOf(admin.call(notify.createSmsGroup, { body: { name, phones } })),
    save: (groupId, name, version) =>
      admin.call(notify.updateSmsGroup, { body: { groupId, name, phones, version } }),
    refused: 'CB-00-0409',
  },
  'notify.updateApiTarget': {
    make: async (name) => (await dataOf(admin.call(notify.createApiTarget, { body: { name, url } }))).target,
    save: (groupId, name, version) =>
      admin.call(notify.updateApiTarget, { body: { groupId, name, url, version } }),
    refused: 'CB-00-0409',
  },
  'schedule.update': {
    make: (name) =>
      dataOf(admin.call(schedule.create, { body: { ...message, name, selection: { iccids: [iccid] } } })),
    save: (scheduleId, name, version) =>
      admin.call(schedule.update, { body: { ...message, scheduleId, name, version } }),
    refused: 'CB-00-0409',
  },
};

it('every call with a version is tested here', () => {
  const versioned = allEndpoints.filter(({ body }) => Object.hasOwn(shapeOf(body), 'version'));
  expect(new Set(versioned.map(({ id }) => id))).toEqual(new Set(Object.keys(edits)));
});

it.each(Object.keys(edits))('%s: one of two concurrent saves of the same version is rejected', async (id) => {
  const { make, save, refused } = edits[id] as EditedResource;
  const created = await make('First');
  expect(created.version).toBe(1);
  const saved = await Promise.all([save(created.id, 'Second', 1), save(created.id, 'Third', 1)]);
  const codes = saved.map(({ body }) => body.status.code);
  expect(new Set(codes)).toEqual(new Set(['CB-00-0000', refused]));
  const winner = codes[0] === 'CB-00-0000' ? 'Second' : 'Third';
  const { data } = (await save(created.id, `${winner} time`, 2)).body;
  expect(data).toMatchObject({ version: 3, name: `${winner} time` });
});

it.each(Object.keys(edits).filter((id) => id !== 'autoflow.update'))(
  '%s: without a version, the current one is changed',
  async (id) => {
    const { make, save } = edits[id] as EditedResource;
    const created = await make('Old');
    await save(created.id, 'Newer', 1);
    expect((await save(created.id, 'Newest', undefined)).body.data).toMatchObject({ name: 'Newest' });
  },
);

it.each(['autoflow.updateTemplate', 'notify.updateGroup', 'notify.updateApiTarget'])(
  '%s: saving unchanged values is accepted with any version',
  async (id) => {
    const { make, save } = edits[id] as EditedResource;
    const created = await make('Before');
    const codes = [];
    for (const _ of [1, 2]) codes.push((await save(created.id, 'After', 1)).body.status.code);
    expect(codes).toEqual(['CB-00-0000', 'CB-00-0000']);
  },
);
