import { makeOrganisation, signedInAs, type TestApp, type TestClient } from './app.ts';
import { makeBundle, makeSim } from './inventory.ts';

/** One SIM for each thing that a filter can distinguish. */
export const fleet = {
  truck: '8986012300000000001',
  meter: '8986012300000000002',
  camera: '8986012300000000003',
  kiosk: '8986012300000000004',
  spare: '8986012300000000005',
};

/** An organisation with the fleet, one of its users, and a SIM of another organisation. */
export const makeFleet = async (test: TestApp): Promise<{ user: TestClient; foreign: { iccid: string } }> => {
  const acme = await makeOrganisation(test, { code: 'acme' });
  const other = await makeOrganisation(test, { code: 'other' });
  const user = await signedInAs(test, 'user', acme);
  const { pool } = test.database;
  await pool.query(
    `insert into networks values (262002, '262', '02', 'Vodafone', 'DE') on conflict do nothing`,
  );
  const bundleId = await makeBundle(pool, { code: 'EU5' });
  const live = { lastSeenAt: '2026-11-21T11:59:00Z', limitBytes: 1000 };
  await makeSim(pool, acme.id, {
    ...live,
    iccid: fleet.truck,
    imsi: '262021234518823',
    msisdn: '4915201234567',
    imei: '490154203237518',
    deviceName: 'Truck 2204',
    notes: 'Depot 100% north_yard',
    tags: ['fleet', 'eu'],
    connection: 'online',
    plmn: 262002,
    usedBytes: 820,
    bundleId,
    activatedAt: '2026-03-01T00:00:00Z',
    expiresAt: '2026-12-01T00:00:00Z',
  });
  await makeSim(pool, acme.id, {
    ...live,
    iccid: fleet.meter,
    deviceName: 'meter 91-A',
    tags: ['meter'],
    lifecycle: 'paused',
    connection: 'connected',
    usedBytes: 799,
    activatedAt: '2026-04-01T00:00:00Z',
    expiresAt: '2027-11-21T12:00:00Z',
  });
  await makeSim(pool, acme.id, {
    ...live,
    iccid: fleet.camera,
    deviceName: 'Camera dock 7',
    tags: ['fleet'],
    lifecycle: 'expired',
    connection: 'offline',
    usedBytes: 1400,
    overLimit: true,
    expiresAt: '2026-11-20T00:00:00Z',
  });
  await makeSim(pool, acme.id, {
    iccid: fleet.kiosk,
    deviceName: 'Kiosk Madrid',
    plmn: 999077,
    usedBytes: 5,
  });
  await makeSim(pool, acme.id, { iccid: fleet.spare, lifecycle: 'pre-activated' });
  await pool.query(
    `insert into usage_daily (sim_id, day_on, plmn, radio, up_bytes, down_bytes, records)
     select id, day::date, 262002, 3, 10, 5, 1 from sims, generate_series(timestamp '2026-11-10', '2026-11-21', '1 day') day
     where iccid = $1`,
    [fleet.truck],
  );
  const foreign = await makeSim(pool, other.id, { deviceName: 'Truck of another' });
  return { user, foreign };
};
