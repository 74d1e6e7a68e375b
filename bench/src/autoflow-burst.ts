import { setTimeout as sleep } from 'node:timers/promises';
import { armRules } from './armed-rules.ts';
import { type Cluster, withClient } from './cluster.ts';
import { fill, firstImsi, makeFleet, radiusSecret } from './fleet.ts';
import { makeTargets } from './notify.ts';
import { startProduct } from './product.ts';
import type { Receiver } from './receiver.ts';
import type { Run } from './run.ts';
import { openSteadyLoad } from './steady-load.ts';

const firings = 100_000;
const budgetSeconds = 120;
const intakeShare = 0.8;
const baselineMs = 20_000;
const givenUpMs = 900_000;
/** As fast as it is answered: so many packets a second nobody takes. */
const saturating = 1_000_000;

/** A rule fires for every SIM of an organisation in the same minute: a request for each SIM, and a tag on it. */
export const measureBurst = async (
  run: Run,
  { cluster, receiver }: { cluster: Cluster; receiver: Receiver },
): Promise<void> => {
  const fleet = await makeFleet(cluster, { database: 'autoflow_burst', pastDays: 40 });
  await fill(fleet, firings, { plain: true });
  const started: { stop(): Promise<void> }[] = [];
  await withClient(fleet.databaseUrl, async (client) => {
    const [target = 0] = await makeTargets({ client, fleet, origin: receiver.origin }, 1, '/burst');
    const settings = { SIMCUBE_OUTBOUND_NETWORKS: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: receiver.certificate };
    try {
      started.push(
        await startProduct({ ...fleet, roles: 'web,worker', profile: run.options.profile, settings }),
      );
      const aaa = await startProduct({ ...fleet, roles: 'aaa', radiusSecret });
      started.push(aaa);
      const load = await openSteadyLoad({
        ...{ port: aaa.acctPort, secret: radiusSecret, rate: saturating, sims: firings, firstImsi },
        run: Math.floor(Date.now() / 1000),
      });
      started.push({ stop: async () => load.close() });
      run.progress('intake without firings');
      load.resume();
      await sleep(baselineMs);
      const without = await load.pause();
      await client.query(`update sims set expires_at = now() + interval '1 day 2 seconds'`);
      await client.query('vacuum (analyze) sims');
      await cluster.dearestStatements();
      await armRules(client, fleet, [
        {
          trigger: { kind: 'lifecycle-expiry', days: 1 },
          actions: [
            { kind: 'api', group_id: String(target) },
            { kind: 'add-tag', tag: 'expiring' },
          ],
        },
      ]);
      await client.query(`update sims set expires_at = now() + interval '1 day 1 second'`);
      await sleep(1_500);
      run.progress(`${firings.toLocaleString('en-US')} firings`);
      load.resume();
      const began = performance.now();
      await client.query(`select graphile_worker.add_job('autoflow.find-times', '{}')`);
      const left = `select 1 where (select count(*) from autoflow_firings) < ${firings}
        or exists (select from autoflow_firings where state = 0) or exists (select from deliveries where state = 0)`;
      do {
        await sleep(2000);
        if (performance.now() - began > givenUpMs) throw new Error('Firings wait for their actions');
      } while ((await client.query(left)).rowCount);
      const seconds = (performance.now() - began) / 1000;
      const during = await load.pause();
      for (const line of await cluster.dearestStatements()) run.note(line);
      const { rows } = await client.query<{ done: number; delivered: number; tagged: number }>(
        `select (select count(*) from autoflow_firings where state = 1)::int as done,
           (select count(*) from deliveries where state = 1)::int as delivered,
           (select count(*) from sims where 'expiring' = any(tags))::int as tagged`,
      );
      const result = rows[0] ?? { done: 0, delivered: 0, tagged: 0 };
      if (result.done !== firings || result.delivered !== firings || result.tagged !== firings)
        throw new Error(`Of ${firings}: ${JSON.stringify(result)}`);
      run.add({
        what: `${firings.toLocaleString('en-US')} firings at once, all actions done`,
        ...{ measured: seconds, unit: 's', budget: `${budgetSeconds} s`, met: seconds <= budgetSeconds },
      });
      const ratio = during.perSecond / without.perSecond;
      run.add({
        what: 'intake meanwhile',
        ...{ measured: during.perSecond, unit: '/s', baseline: without.perSecond, ratio },
        ...{ budget: `${intakeShare} × without firings`, met: ratio >= intakeShare },
        details: { 'p95 ms': during.p95Ms, 'p95 ms, without': without.p95Ms },
      });
      run.note(
        'A rule on the end of the lifecycle of all SIMs of an organisation, which is at one instant: for each a signed request ' +
          'over TLS and a tag. Intake: 2,000 sessions, each with its next packet as soon as the last was answered.',
      );
    } finally {
      for (const product of started.toReversed()) await product.stop();
    }
  });
};
