import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from '../cluster.ts';
import type { Drill, Tally } from './drill.ts';
import { crossingBytes, settleTimeoutMs, tag, withInstallation } from './installation.ts';
import type { Process } from './process.ts';

/** Firings of a rule by SIM, with id and time. */
type Firings = Map<number, string>;

/** Time to wait for duplicates to show. */
const graceMs = 3000;

/**
 * A backup is taken half way through. At the end, the installation is restored from it, and accounting continues for half of the
 * time: SIMs for which the rule fired before the backup must not fire again, and those that reach it afterwards must fire.
 */
export const rewind: Drill = (run) => {
  const halfMs = run.options.minutes * 30_000;
  let before: Firings = new Map();
  let abandoned: Firings = new Map();
  return withInstallation(run, {
    during: async ({ cluster, fleet, processes, until }) => {
      const all = Object.values(processes);
      await sleep(halfMs);
      await stopAll(all);
      await cluster.create('earlier', 'drill');
      before = await withClient(fleet.databaseUrl, readFirings);
      for (const one of all) await one.start();
      if (!until.aborted) await new Promise((resolve) => until.addEventListener('abort', resolve));
    },
    afterwards: async ({ cluster, fleet, processes, load }) => {
      const all = Object.values(processes);
      await stopAll(all);
      abandoned = await withClient(fleet.databaseUrl, readFirings);
      const databaseUrl = cluster.url('earlier');
      for (const one of all) await one.startOn(databaseUrl);
      run.progress('going on from the backup');
      load.resume();
      await sleep(halfMs);
      await load.pause();
      return { ...fleet, databaseUrl };
    },
    compare: async (client) => {
      await waitUntilSettled(client);
      const after = await readFirings(client);
      const reverted = [...abandoned.keys()].filter((sim) => !before.has(sim));
      const again = reverted.filter((sim) => after.has(sim)).length;
      run.note(
        `${before.size} SIMs had fired before the backup, ${reverted.length} after it and before it was put back; ` +
          `${again} of these came to the threshold, and fired, again.`,
      );
      return [await compareEarlierFirings(client, before, after), ...(await compareLaterFirings(client))];
    },
  });
};

const stopAll = async (all: readonly Process[]): Promise<void> => {
  for (const one of all) await one.stop();
};

const readFirings = async (client: pg.Client): Promise<Firings> => {
  const { rows } = await client.query<{ sim: number; firings: string }>(
    `select sim_id::float8 as sim, string_agg(id || ' ' || fired_at, ', ' order by id) as firings
     from autoflow_firings group by 1`,
  );
  return new Map(rows.map(({ sim, firings }) => [sim, firings]));
};

/** Waits until all work has ended: anything that has not fired by then never will. */
const waitUntilSettled = async (client: pg.Client): Promise<void> => {
  for (const end = Date.now() + settleTimeoutMs; Date.now() < end; await sleep(500)) {
    const tallies = await compareLaterFirings(client);
    const { rowCount } = await client.query('select from tasks where ended_at is null limit 1');
    if (!rowCount && tallies.every(({ lost }) => lost === 0)) break;
  }
  await sleep(graceMs);
};

/** Checks that firings from before the backup are unchanged, and that none of their operations was requested again. */
const compareEarlierFirings = async (client: pg.Client, before: Firings, after: Firings): Promise<Tally> => {
  const { rows } = await client.query<{ sim: number }>(
    `select i.ref::float8 as sim from task_items i join tasks t on t.id = i.task_id
     where t.type = 'sim-tags' and i.state = 1 group by 1 having count(*) > 1`,
  );
  const ordered = new Set(rows.map(({ sim }) => sim));
  const sims = [...before];
  const isSame = ([sim, firings]: [number, string]) => after.get(sim) === firings && !ordered.has(sim);
  return {
    what: 'firings from before the backup',
    sent: before.size,
    acknowledged: before.size,
    stored: sims.filter(isSame).length,
    lost: sims.filter(([sim]) => !after.has(sim)).length,
    doubled: sims.filter((one) => after.has(one[0]) && !isSame(one)).length,
  };
};

/** SIMs whose usage in the restored installation has reached the threshold. */
const compareLaterFirings = async (client: pg.Client): Promise<Tally[]> => {
  const { rows } = await client.query<Record<'crossed' | 'fired' | 'doubled' | 'tagged', number>>(
    `select count(*)::int as crossed, count(f.sim_id)::int as fired,
       count(*) filter (where f.firings > 1)::int as doubled, count(*) filter (where $2 = any(s.tags))::int as tagged
     from sim_live l join sims s on s.id = l.sim_id
       left join (select sim_id, count(*) as firings from autoflow_firings group by 1) as f on f.sim_id = l.sim_id
     where l.used_bytes >= $1`,
    [crossingBytes, tag],
  );
  const { crossed = 0, fired = 0, doubled = 0, tagged = 0 } = rows[0] ?? {};
  const shared = { sent: crossed, acknowledged: crossed };
  return [
    { what: 'firings of a rule', ...shared, stored: fired, lost: crossed - fired, doubled },
    { what: 'its operations on SIMs', ...shared, stored: tagged, lost: crossed - tagged, doubled: 0 },
  ];
};
