import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';

const { notify, webhook } = endpoints;
const publicUrl = 'https://hooks.example.test/';

let test: TestApp;
let openTest: TestApp;
let admin: TestClient;
let openAdmin: TestClient;

beforeAll(async () => {
  test = await testApp();
  openTest = await testApp({ outboundNetworks: ['10.1.0.0/16', '127.0.0.0/8'] });
  admin = await signedInAs(test, 'admin', await makeOrganisation(test, { code: 'own' }));
  openAdmin = await signedInAs(openTest, 'admin', await makeOrganisation(openTest, { code: 'open' }));
});
afterAll(async () => {
  await test.close();
  await openTest.close();
});

const makeTarget = (url: string, client = admin) =>
  client.call(notify.createApiTarget, { body: { name: url.slice(0, 40), url } });
const setWebhook = (url: string, client = admin) =>
  client.call(webhook.setUrl, { params: { accountId: client.userId }, body: { url } });

const refused = {
  code: 'CB-00-0400',
  detail: { issues: [expect.objectContaining({ path: 'url', key: 'internalUrl' })] },
};

describe('a URL inside the own network', () => {
  it.each([
    'https://10.0.0.5/',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://[::ffff:192.168.0.1]/',
    'https://localhost:8443/',
    'https://LOCALHOST./',
    'https://hooks.localhost/',
  ])('is refused for API targets and webhooks: %s', async (url) => {
    expect((await makeTarget(url)).body.status).toMatchObject(refused);
    expect((await setWebhook(url)).body.status).toMatchObject(refused);
  });

  it('is refused as the new address of a target', async () => {
    const groupId = (await makeTarget(publicUrl)).body.data.target.id;
    const body = { groupId, name: 'Moved', url: 'https://192.168.1.1/' };
    expect((await admin.call(notify.updateApiTarget, { body })).body.status).toMatchObject(refused);
  });

  it('that is already stored does not prevent other changes', async () => {
    const groupId = (await makeTarget('https://stored.example.test/')).body.data.target.id;
    const url = 'https://192.168.1.1/';
    await test.database.pool.query('update notification_targets set addresses = array[$2] where id = $1', [
      groupId,
      url,
    ]);
    const saved = await admin.call(notify.updateApiTarget, { body: { groupId, name: 'Renamed', url } });
    expect(saved.body.data).toMatchObject({ name: 'Renamed', url });
  });

  it('is accepted in networks that the operator allows, and only there', async () => {
    for (const url of ['https://10.1.2.3/', 'https://127.0.0.1:9443/', 'https://localhost/']) {
      expect((await makeTarget(url, openAdmin)).http, url).toBe(200);
      expect((await setWebhook(url, openAdmin)).http, url).toBe(200);
    }
    expect((await makeTarget('https://10.2.0.1/', openAdmin)).body.status).toMatchObject(refused);
  });

  it.each(['https://192.0.2.1:9443/', 'https://hooks.example.test:22/x', 'https://[2606:4700::1111]:5432/'])(
    'is refused with a port that is never used: %s',
    async (url) => {
      const values = { ports: '80, 443, 8080, 8443' };
      const status = { code: 'CB-00-0400', detail: { issues: [{ path: 'url', key: 'urlPort', values }] } };
      expect((await makeTarget(url)).body.status).toMatchObject(status);
      expect((await setWebhook(url)).body.status).toMatchObject(status);
      // Its name may be in an allowed network, but not a public address.
      const isName = url.includes('hooks');
      expect((await makeTarget(url, openAdmin)).http).toBe(isName ? 200 : 400);
    },
  );

  it.each([
    'https://192.0.2.1/',
    'https://192.0.2.1:8443/',
    'https://[2606:4700::1111]/',
    'https://intranet/',
    'https://localhost.example/',
  ])('is not assumed for public addresses and names: %s', async (url) => {
    expect((await makeTarget(url)).http).toBe(200);
  });
});
