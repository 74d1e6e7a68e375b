import { endpoints } from '@simcube/contract';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { simCommands } from '../modules/sim/index.ts';
import { type TestApp, type TestClient, testApp } from '../testing/app.ts';
import { type DetailedSim, makeDetailedSim } from '../testing/details.ts';

const { sim, bundle, diagnose } = endpoints;

let test: TestApp;
let made: DetailedSim;
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  made = await makeDetailedSim(test);
  ({ admin } = made);
});
afterAll(() => test.close());

const set = (what: string) => test.database.pool.query(`update ${what} = $1`, [made.id]);
/** What each screen reports that the network has not done. */
const descriptions = async () => {
  const query = { iccid: made.iccid };
  const [list, connection, status, details, report] = await Promise.all([
    admin.call(sim.list, { body: { search: made.iccid } }),
    admin.call(sim.connection, { query }),
    admin.call(sim.connectionStatus, { query }),
    admin.call(bundle.simDetails, { query }),
    admin.call(diagnose.run, { query }),
  ]);
  const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
  const program = new Command();
  const { database, clock, wiring } = test;
  const context = { ...wiring, pool: database.pool, clock, close: async () => undefined };
  simCommands(program, async () => context);
  await program.parseAsync(['node', 'simcube', 'sims', 'show', made.iccid, '--json']);
  const shown = JSON.parse(info.mock.calls[0]?.[0]);
  info.mockRestore();
  return {
    overdue: [
      list.body.data[0]?.network_overdue,
      connection.body.data.network_overdue,
      status.body.data.network_overdue,
      details.body.data.connection.network_overdue,
      shown.network_overdue,
    ],
    session: report.body.data.checks.find(({ check }) => check === 'session'),
  };
};
const five = <T>(value: T): T[] => [value, value, value, value, value];

describe('an overdue network request is the same in list, page, command line and diagnosis:', () => {
  it('none for a SIM that may be online', async () => {
    expect(await descriptions()).toMatchObject({ overdue: five(null), session: { light: 'good' } });
  });

  it('still connected, in red, for a suspended SIM with an open session', async () => {
    await set('sims set lifecycle = 30 where id');
    expect(await descriptions()).toMatchObject({
      overdue: five('disconnect'),
      session: { light: 'bad', sentence: expect.stringContaining('still connected although it must not be') },
    });
  });

  it('rate not changed, for a session with another rate than the SIM', async () => {
    await set('sims set lifecycle = 23 where id');
    await set('sim_live set data_state = 1, rate_kbps = 256 where sim_id');
    expect(await descriptions()).toMatchObject({ overdue: five('rate'), session: { light: 'warning' } });
    await set('sim_live set network_rate_kbps = 256 where sim_id');
    expect((await descriptions()).overdue).toEqual(five(null));
  });

  it('none for a suspended SIM whose session has ended', async () => {
    await set('sims set lifecycle = 30 where id');
    await set('radius_sessions set stopped_at = updated_at where stopped_at is null and sim_id');
    expect((await descriptions()).overdue).toEqual(five(null));
  });

  it('none for a session from another organisation’s ownership', async () => {
    await set(
      `radius_sessions set stopped_at = null, org_id = org_id + 1000 where session_key = 2 and sim_id`,
    );
    expect((await descriptions()).overdue).toEqual(five(null));
  });
});
