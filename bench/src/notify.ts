import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { vaultOf } from '../../apps/server/src/platform/secrets/index.ts';
import { startCluster, withClient } from './cluster.ts';
import { type Fleet, makeFleet } from './fleet.ts';
import { startProduct } from './product.ts';
import { responseDelayMs, startReceiver } from './receiver.ts';
import type { Run } from './run.ts';

const budget = 1000;
const deliveries = 20_000;
const targets = 10;
/** Minimum share of the rate without a dead target; allows for the variation between identical runs. */
const minShare = 0.9;

/** Notifications as signed requests over TLS to a receiver that takes 20 ms, with every attempt stored. */
export const notify = async (run: Run): Promise<void> => {
  const cluster = await startCluster({ trackStatements: run.options.statements });
  const receiver = await startReceiver(cluster.directory);
  try {
    const fleet = await makeFleet(cluster, { database: 'notify', pastDays: 0 });
    const product = await startProduct({
      ...fleet,
      roles: 'web,worker',
      profile: run.options.profile,
      settings: { SIMCUBE_OUTBOUND_NETWORKS: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: receiver.certificate },
    });
    try {
      await withClient(fleet.databaseUrl, (client) =>
        measure(run, { client, fleet, origin: receiver.origin }),
      );
    } finally {
      await product.stop();
    }
    for (const line of await cluster.costliestStatements()) run.note(line);
  } finally {
    receiver.stop();
    await cluster.stop();
  }
};

export interface NotifySetup {
  client: pg.Client;
  fleet: Fleet;
  origin: string;
}

const measure = async ({ add, note, progress }: Run, setup: NotifySetup): Promise<void> => {
  const live = await makeTargets(setup, targets, '/live');
  progress('warming up');
  await measureDelivery(setup, live, deliveries / 4);
  progress('one target');
  const one = await measureDelivery(setup, live.slice(0, 1), deliveries);
  progress('ten targets');
  const ten = await measureDelivery(setup, live, deliveries);
  const [dead = 0] = await makeTargets(setup, 1, '/dead');
  progress('ten targets, one of them dead');
  await queue(setup, dead, deliveries / targets);
  const nine = await measureDelivery(setup, live.slice(1), (deliveries / targets) * (targets - 1));
  for (const [what, rate] of [
    ['to one target', one],
    ['to ten targets', ten],
  ] as const) {
    add({ what, measured: rate, unit: '/s', budget: `${budget} /s`, met: rate >= budget });
  }
  add({
    what: 'to nine beside a dead one',
    measured: nine,
    unit: '/s',
    baseline: ten,
    ratio: nine / ten,
    budget: `${minShare} ×`,
    met: nine >= ten * minShare,
  });
  note(
    `${deliveries.toLocaleString('en-US')} deliveries each, HTTPS over loopback, answered after ${responseDelayMs} ms; ` +
      'from the first attempt to the last result, each attempt a row. A dead target never answers. ' +
      'The receiver shares the processors.',
  );
};

/** Creates API targets that a receiver serves at the path. @returns their ids */
export const makeTargets = async (
  { client, fleet, origin }: NotifySetup,
  count: number,
  path: string,
): Promise<number[]> => {
  const sealed = vaultOf(Buffer.from(fleet.secretKey, 'hex')).seal(
    `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  );
  const { rows } = await client.query<{ id: number }>(
    `with made as (
       insert into notification_targets (org_id, kind, name, addresses)
       select $1, 'api', $2 || n, array[$3 || '?' || n] from generate_series(1, $4) n returning id),
     secrets as (
       insert into target_secrets (target_id, sealed, created_at) select id, $5, now() from made)
     select id::int from made`,
    [fleet.orgId, path, `${origin}${path}`, count, sealed],
  );
  return rows.map(({ id }) => id);
};

const queue = async ({ client, fleet }: NotifySetup, target: number, count: number): Promise<void> => {
  await client.query(
    `with told as (
       insert into notifications (org_id, kind, fields, created_at)
       select $1, 'test', '{"target": "Bench"}', now() from generate_series(1, $3) returning id)
     insert into deliveries (notification_id, org_id, target_id, channel, lane, address, language, due_at, created_at)
     select id, $1, $2, 'api', $2, '', 'en-US', now(), now() from told`,
    [fleet.orgId, target, count],
  );
};

/** @returns deliveries per second, from the start of the first attempt to the end of the last */
const measureDelivery = async (setup: NotifySetup, to: readonly number[], count: number): Promise<number> => {
  const { client } = setup;
  const lastId = (
    await client.query<{ last: number }>('select coalesce(max(id), 0)::int as last from deliveries')
  ).rows[0]?.last;
  await client.query('begin');
  for (const target of to) await queue(setup, target, count / to.length);
  await client.query('commit');
  await client.query('analyze deliveries');
  await client.query('notify deliveries');
  const unfinished = 'select from deliveries where state = 0 and lane = any($1) limit 1';
  while ((await client.query(unfinished, [to])).rowCount) await sleep(100);
  const { rows } = await client.query<{ count: number; seconds: number }>(
    `select count(*)::int as count,
       extract(epoch from max(at + duration_ms * interval '1 ms') - min(at))::float8 as seconds
     from delivery_attempts a join deliveries d on d.id = a.delivery_id
     where d.id > $1 and d.lane = any($2) and a.status = 200`,
    [lastId, to],
  );
  const [result] = rows;
  if (!result || result.count !== count) throw new Error(`${result?.count} of ${count} attempts were stored`);
  return count / result.seconds;
};
