import { dayMs, hourMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addDays, daysFrom, usageDays } from '../../../platform/clock/business-day.ts';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { makeRule, type TestRule } from '../../../testing/autoflow-rules.ts';
import { importRecords } from '../../../testing/cdrs.ts';
import { testDatabase } from '../../../testing/database.ts';
import { clearUsage, makeUsageSims, type UsageSim } from '../../../testing/usage-records.ts';
import { refreshCounts } from '../../cdr/counts/counts.service.ts';
import { listSimDays } from '../../cdr/index.ts';
import { createUpcomingPartitions, recordUsageHandover } from '../../usage/index.ts';
import { usualDays, usualOf } from '../engine/usage.rules.ts';
import type { RecordEnds } from '../engine/usage.service.ts';
import { evaluateUsage } from '../engine/usage.service.ts';
import { insertReplay } from './replay.queries.ts';
import { createTally, replaySpan } from './replay.rules.ts';
import { runReplay } from './run.service.ts';

const kb = 1024;
/** The window includes the end of February with a leap day, and March. */
const now = new Date('2028-03-12T15:30:00Z');
const clock = new FixedClock(now);
const armedAt = new Date(replaySpan(now).startsAt);
let database: Database;
let sims: UsageSim[];
let userId: string;

beforeAll(async () => {
  database = await testDatabase();
  await createUpcomingPartitions(database.pool, new Date(now.getTime() - 60 * dayMs));
  await createUpcomingPartitions(database.pool, now);
  sims = await makeUsageSims(database.pool);
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into users (email, first_name, last_name, password_hash) values ('ana@example.test', 'Ana', 'Ruiz', '') returning id`,
  );
  userId = rows[0]?.id ?? '';
});
afterAll(() => database.close());
afterEach(async () => {
  await clear();
});

const clear = async (): Promise<void> => {
  await clearUsage(database.pool);
  await database.pool.query(`truncate autoflow_rules, autoflow_replays, usage_watches, cdr_hours, cdr_counts, cdr_firsts,
    cdr_sim_counts, cdr_sessions, cdr_traits cascade`);
};

interface Firing {
  sim: number;
  since: string;
}
const byName = (firings: readonly Firing[]) => firings.map(({ sim, since }) => `${sim} ${since}`).sort();

const isAmong = (firings: readonly Firing[], { sim, since }: Firing) =>
  firings.some((one) => one.sim === sim && one.since === since);

/** How days are read: by the rows of each SIM, or all SIMs together, of one SIM after the other. */
const ways = { rows: { rowReadLimit: 100 }, days: { rowReadLimit: 0, maxSimDays: 60 } };

/** The results of a replay, with its days. */
const replayed = async (
  definition: TestRule,
  way: keyof typeof ways = 'rows',
  orgId = sims[0]?.orgId ?? 0,
) => {
  const id = await insertReplay(database.pool, {
    orgId,
    userId,
    ruleId: null,
    replayed: { version: null, trigger: definition.trigger, scope: { kind: 'all' }, sims: null, imeis: null },
    former: null,
    span: replaySpan(clock.now()),
    tally: createTally(),
    formerTally: null,
    at: clock.now(),
  });
  const { signal } = new AbortController();
  await runReplay({ pool: database.pool, listSimDays, ...ways[way] }, { id, signal });
  const { rows } = await database.pool.query<{ state: number; tally: { firings: number }; records: number }>(
    'select state, tally, records from autoflow_replays where id = $1',
    [id],
  );
  const firings = await database.pool.query<Firing & { at: Date; value: number }>(
    `select sim_id as sim, happened_at as at, measured ->> 'since' as since, (measured -> 'value')::float8 as value
     from autoflow_replay_firings where replay_id = $1 order by number`,
    [id],
  );
  return { ...rows[0], firings: firings.rows };
};

const count = () =>
  refreshCounts({ pool: database.pool, clock, signal: new AbortController().signal, headSize: 1 });

/** The engine's firings. */
const fired = async (ruleId: number) =>
  (
    await database.pool.query<Firing>(
      `select sim_id as sim, measured ->> 'since' as since from autoflow_firings where rule_id = $1`,
      [ruleId],
    )
  ).rows;

const judgeSeen = async () => {
  const { rows } = await database.pool.query<{ org_id: number; payload: { sims: RecordEnds } }>(
    `delete from outbox where topic = 'usage.watch-reached' returning org_id, payload`,
  );
  for (const { org_id: orgId, payload } of rows)
    await evaluateUsage({ pool: database.pool, clock }, { orgId, seen: payload.sims });
};

interface Use {
  sim: number;
  /** Milliseconds before now. */
  ago: number;
  kilobytes: number;
  /** How late it arrives, and how often. */
  late: number;
  times: number;
}

/** 45 days of records; each arrives within 20 hours of its end, in any order, some twice. */
const uses = fc.array(
  fc.record({
    sim: fc.integer({ min: 0, max: 2 }),
    ago: fc.oneof(
      fc.integer({ min: 0, max: 45 * 24 * 60 }).map((minutes) => minutes * 60_000),
      // Around the ends of months and of the window, in UTC and in UTC+8.
      fc
        .tuple(
          fc.constantFrom('2028-02-12T00:00Z', '2028-02-29T16:00Z', '2028-03-01T00:00Z', '2028-02-29T00:00Z'),
          fc.constantFrom(-60_000, -1, 0, 1, 60_000),
        )
        .map(([instant, more]) => now.getTime() - Date.parse(instant) - more),
    ),
    kilobytes: fc.integer({ min: 1, max: 40 }),
    late: fc.integer({ min: 0, max: 20 * 60 }).map((minutes) => minutes * 60_000),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  { minLength: 60, maxLength: 160 },
);

/** Records in order of arrival, each as often as it arrives. */
const arrivalsOf = (all: readonly Use[]) =>
  all.flatMap((use, number) =>
    Array.from({ length: use.times }, (_, time) => ({
      ...use,
      number,
      at: now.getTime() - use.ago,
      arrives: Math.min(
        now.getTime() - use.ago + use.late + time * hourMs,
        // Records that ended before a rule is switched on don't arrive late for it.
        now.getTime() - use.ago < armedAt.getTime() ? armedAt.getTime() : now.getTime(),
      ),
    })),
  );

/** Counts records as they arrive, day by day, and evaluates each day; on some days, hours are computed from the records so far. */
const live = async (all: readonly Use[], computedOn: ReadonlySet<number>) => {
  const arrivals = arrivalsOf(all);
  for (let day = now.getTime() - 46 * dayMs; day < now.getTime(); day += dayMs) {
    const until = Math.min(day + dayMs, now.getTime());
    clock.set(new Date(until));
    const some = arrivals.filter(({ arrives }) => arrives > day && arrives <= until);
    if (some.length === 0) continue;
    const records = some.map(({ sim, at, kilobytes, number }) => ({
      iccid: sims[sim]?.iccid ?? '',
      ended_at: new Date(at).toISOString(),
      record_id: `r${number}`,
      up_bytes: kilobytes * kb,
      down_bytes: 0,
    }));
    await importRecords({ database, clock }, records);
    await judgeSeen();
    if (computedOn.has(Math.round((now.getTime() - day) / dayMs))) await count();
  }
};

/**
 * Whether the usual usage was still zero when the last record of the day was evaluated: records that make the day
 * unusual arrived later, for earlier days, and do not cause it to be evaluated again.
 */
const wasUsualLater = (all: readonly Use[], { sim, since }: Firing): boolean => {
  const dayOf = (at: number): string => usageDays.dayOf(new Date(at));
  const records = new Map<number, ReturnType<typeof arrivalsOf>[number]>();
  for (const one of arrivalsOf(all))
    if (sims[one.sim]?.id === sim && one.arrives < (records.get(one.number)?.arrives ?? Infinity))
      records.set(one.number, one);
  const day = dayOf(Date.parse(since));
  const last = Math.max(
    ...[...records.values()].flatMap(({ at, arrives }) => (dayOf(at) === day ? arrives : [])),
  );
  const judged = now.getTime() - Math.floor((now.getTime() - last) / dayMs) * dayMs;
  const used = new Map<string, number>();
  for (const { at, arrives, kilobytes } of records.values())
    if (arrives <= judged) used.set(dayOf(at), (used.get(dayOf(at)) ?? 0) + kilobytes);
  const before = daysFrom(addDays(day, -usualDays), addDays(day, -1));
  return usualOf(before.map((one) => used.get(one) ?? 0)) === 0;
};

/** A SIM with the same usage every day, and more on one: every trigger fires for it. */
const steady: Use[] = [
  ...Array.from({ length: 44 }, (_, day) => ({ ago: (day + 0.5) * dayMs, kilobytes: 10 })),
  { ago: 3.4 * dayMs, kilobytes: 40 },
].map((use) => ({ sim: 0, late: 0, times: 1, ...use }));

/** Days before now; nothing is computed for the records of later days. */
const computed = fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 2 });

const triggers = {
  day: { kind: 'data-usage', period: 'day', threshold: { unit: 'KB', amount: 45 } },
  month: { kind: 'data-usage', period: 'month', threshold: { unit: 'KB', amount: 200 } },
  cycle: { kind: 'data-usage', period: 'cycle', threshold: { unit: 'KB', amount: 200 } },
  unusual: { kind: 'unusual-usage', multiple: 2 },
} as const satisfies Record<string, TestRule['trigger']>;

describe('a replay', () => {
  it('agrees with the engine for the same records, even if late, repeated and reordered', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(uses, computed, async (all, computedOn) => {
        await clear();
        clock.set(now);
        const rules = new Map<string, number>();
        for (const [name, trigger] of Object.entries(triggers))
          rules.set(
            name,
            await makeRule(database.pool, { orgId: sims[0]?.orgId ?? 0 }, { trigger, armedAt }),
          );
        await live(all, new Set(computedOn));
        clock.set(now);
        for (const [name, trigger] of Object.entries(triggers)) {
          const found = await replayed({ trigger });
          const did = await fired(rules.get(name) ?? 0);
          if (did.length > 0) seen.add(name);
          // Late records raise a day's usual usage after the rule has fired for it.
          const fewer = name === 'unusual' ? did.filter((one) => isAmong(found.firings, one)) : did;
          const judged =
            name === 'unusual'
              ? found.firings.filter((one) => isAmong(did, one) || !wasUsualLater(all, one))
              : found.firings;
          expect([name, byName(judged)]).toEqual([name, byName(fewer)]);
          expect([found.state, found.tally?.firings]).toEqual([2, found.firings.length]);
          expect(await replayed({ trigger }, 'days')).toEqual(found);
        }
      }),
      { numRuns: 5, endOnFailure: true, examples: [[steady, []]] },
    );
    expect(seen).toEqual(new Set(Object.keys(triggers)));
  }, 120_000);

  it('evaluates only the owner’s usage of a transferred SIM', async () => {
    const [acme, , theirs] = sims;
    const use = (ended_at: string, kilobytes: number) =>
      importRecords({ database, clock }, [
        { iccid: theirs?.iccid ?? '', ended_at, up_bytes: kilobytes * kb, down_bytes: 0 },
      ]);
    await use('2028-03-08T08:00:00Z', 44);
    await count();
    const { pool } = database;
    const until = '2028-03-08T12:00:00Z';
    await pool.query(
      `insert into sim_ownerships (sim_id, number, org_id, since, until) values ($1, 0, $2, '-infinity', $3)`,
      [theirs?.id, theirs?.orgId, until],
    );
    const move = (orgId: number | undefined, ownership: number) =>
      pool.query(
        `with live as (update sim_live set org_id = $2 where sim_id = $1)
         update sims set org_id = $2, ownership = $3::integer, owned_since = case when $3 > 0 then $4::timestamptz end where id = $1`,
        [theirs?.id, orgId, ownership, until],
      );
    await move(acme?.orgId, 1);
    await recordUsageHandover(pool, { simIds: [theirs?.id ?? 0], at: new Date(until) });
    await use('2028-03-08T13:00:00Z', 20);
    await use('2028-03-08T14:00:00Z', 20);
    const small = { ...triggers.day, threshold: { unit: 'KB', amount: 40 } } as const;
    try {
      for (const way of ['rows', 'days'] as const) {
        expect(await replayed({ trigger: triggers.day }, way)).toMatchObject({ firings: [], records: 2 });
        expect(await replayed({ trigger: small }, way)).toMatchObject({
          firings: [{ sim: theirs?.id, at: new Date('2028-03-08T14:00:00Z'), value: 40 * kb }],
        });
      }
    } finally {
      await pool.query('truncate sim_ownerships, usage_handovers');
      await move(theirs?.orgId, 0);
    }
  });
});

describe('the engine, for records of a file', () => {
  const file = async (...records: [endedAt: string, kilobytes: number][]) => {
    clock.set(now);
    await importRecords(
      { database, clock },
      records.map(([ended_at, kilobytes]) => ({
        iccid: sims[0]?.iccid ?? '',
        ended_at,
        up_bytes: kilobytes * kb,
        down_bytes: 0,
      })),
    );
    await judgeSeen();
  };
  const armed = (trigger: TestRule['trigger']) => {
    clock.set(now);
    return makeRule(database.pool, { orgId: sims[0]?.orgId ?? 0 }, { trigger, armedAt });
  };

  it('fires on the day on which a cycle begins', async () => {
    const rule = await armed(triggers.cycle);
    await file(['2028-02-29T16:01:00Z', 250], ['2028-03-10T00:00:00Z', 1]);
    expect(await fired(rule)).toEqual([{ sim: sims[0]?.id, since: '2028-02-29T16:00:00.000Z' }]);
  });

  it('fires once for a period with several days', async () => {
    const rule = await armed(triggers.month);
    await file(['2028-03-08T12:00:00Z', 1], ['2028-03-09T12:00:00Z', 1], ['2028-03-10T12:00:00Z', 250]);
    expect(await fired(rule)).toEqual([{ sim: sims[0]?.id, since: '2028-03-01T00:00:00.000Z' }]);
  });
});
