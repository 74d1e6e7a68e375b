import { type CdrFilter, type CdrGrouping, type CdrSums, cdrRadioTypes } from '@simcube/contract/cdr';
import { hourMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import {
  apns,
  type CdrFacts,
  cdrArbitrary,
  cdrQueryArbitrary,
  now,
  operators,
  plmns,
  previousPeriodOnly,
} from '../../../testing/cdr-arbitraries.ts';
import { expectListedRecords } from '../../../testing/cdr-lists.ts';
import { testDatabase } from '../../../testing/database.ts';
import { runProgram } from '../../../testing/run-program.ts';
import { clearUsage, makeUsageSims, sourceOf, type UsageSim } from '../../../testing/usage-records.ts';
import { addToPools } from '../../pool/index.ts';
import { syncNetworks } from '../../sim/index.ts';
import { createUpcomingPartitions, importCdrs } from '../../usage/index.ts';
import { provisionalFrom } from '../cdr-rows.views.ts';
import { completePacks, refreshCounts } from '../counts/counts.service.ts';
import { readSums } from './sums.views.ts';

/** Each query is answered from stored counts, from the records alone, and by checking records one by one. */

const clock = new FixedClock(now.toISOString());
let database: Database;
let sims: readonly UsageSim[];

beforeAll(async () => {
  database = await testDatabase();
  for (const at of ['2028-02-01', '2028-03-01']) await createUpcomingPartitions(database.pool, new Date(at));
  sims = await makeUsageSims(database.pool);
  await syncNetworks(database.pool);
});
afterAll(() => database.close());
beforeEach(async () => {
  await clearUsage(database.pool);
  await database.pool.query(
    'truncate cdr_hours, cdr_counts, cdr_firsts, cdr_sim_counts, cdr_sessions, cdr_traits',
  );
});

let countries = ['DE', 'FR'];
/** Sessions looked up so far: the SIM and session number that each belongs to. */
const knownSessions = new Map<string, string>();

const keyOf = (one: CdrFacts): string => JSON.stringify(one);

/** Counted like accounting, with sessions. */
const importRecords = async (records: readonly CdrFacts[]): Promise<void> => {
  const header = 'iccid,record_id,session_id,ended_at,up_bytes,down_bytes,mcc,mnc,rat,apn';
  const lines = records.map((one) => {
    const plmn = plmns[one.mnc] ?? 0;
    const network = [Math.floor(plmn / 1000), `0${plmn % 1000}`, cdrRadioTypes[one.radio - 1]];
    const at = new Date(one.endedAt).toISOString();
    const fields = [
      sims[one.sim]?.iccid,
      keyOf(one).replaceAll(/[",]/g, ''),
      `s${one.session}`,
      at,
      one.up,
      1,
    ];
    return [...fields, ...network, apns[one.apn]].join(',');
  });
  const source = sourceOf([header, ...lines, `x${Math.random()}`].join('\n'));
  await importCdrs({ countForPools: addToPools, pool: database.pool, clock, source });
};

const compute = (options: { maxRecords?: number; headSize?: number } = {}, work = refreshCounts) =>
  work({ pool: database.pool, clock, signal: new AbortController().signal, ...options });

const identifiers = (of: readonly number[] | undefined) =>
  of?.map((sim) => sims[sim]?.[(['iccid', 'imsi', 'msisdn'] as const)[sim] ?? 'iccid'] ?? '');

/** The session of a record in the filter's form; undefined if another session ended at the same time with the same usage. */
const sessionOf = async ({ sim, endedAt, up }: CdrFacts): Promise<string | undefined> => {
  const { rows } = await database.pool.query<{ session: string }>(
    `select s.iccid || '-' || c.session_key as session from cdrs c join sims s on s.id = c.sim_id
     where c.sim_id = $1 and c.ended_at = $2 and c.up_bytes = $3 group by 1`,
    [sims[sim]?.id, new Date(endedAt), up],
  );
  return rows.length === 1 ? rows[0]?.session : undefined;
};

const plainly = (records: readonly CdrFacts[], filter: CdrFilter, org: number) => {
  const [from, to] = [Date.parse(filter.from ?? ''), Date.parse(filter.to ?? '')];
  return records.filter(
    (one) =>
      sims[one.sim]?.orgId === org &&
      one.endedAt >= from &&
      one.endedAt < to &&
      (!filter.country || filter.country.includes(countries[one.mnc] ?? '')) &&
      (!filter.radio || filter.radio.includes(cdrRadioTypes[one.radio - 1] ?? 'unknown')) &&
      (!filter.apn || filter.apn.includes(apns[one.apn] ?? '')) &&
      (!filter.operator || filter.operator.includes(operators[one.mnc] ?? '')) &&
      (!filter.source || filter.source.includes('file')) &&
      (!filter.identifiers ||
        filter.identifiers.some((identifier) => Object.values(sims[one.sim] ?? {}).includes(identifier))) &&
      (!filter.session || knownSessions.get(filter.session) === `${one.sim} ${one.session}`),
  );
};

const figuresOf = (records: readonly CdrFacts[]) => ({
  records: records.length,
  up_bytes: records.reduce((sum, { up }) => sum + up, 0),
  down_bytes: records.length,
  sims: new Set(records.map(({ sim }) => sim)).size,
  sessions: new Set(records.map(({ sim, session }) => `${sim} ${session}`)).size,
});

const groupKeys: Record<
  'hour' | 'day' | 'country' | 'operator' | 'radio' | 'sim',
  (one: CdrFacts) => string
> = {
  hour: ({ endedAt }) => new Date(endedAt - (endedAt % hourMs)).toISOString(),
  day: ({ endedAt }) => new Date(endedAt).toISOString().slice(0, 10),
  country: ({ mnc }) => countries[mnc] ?? '',
  operator: ({ mnc }) => operators[mnc] ?? '',
  radio: ({ radio }) => cdrRadioTypes[radio - 1] ?? '',
  sim: ({ sim }) => sims[sim]?.iccid ?? '',
};
const groupings = Object.keys(groupKeys) as (keyof typeof groupKeys)[];

/** Checks the previous period, and each group's figures in it. */
const expectBefore = (found: CdrSums, all: readonly CdrFacts[], filter: CdrFilter, orgId: number): void => {
  const distance = Date.parse(found.from) - Date.parse(found.before?.from ?? '');
  const { from, to } = found.before ?? {};
  const plain = plainly(all, { ...filter, from, to }, orgId);
  expect(found.before?.total).toEqual(figuresOf(plain));
  for (const grouping of groupings) {
    for (const { key, before } of found.groups[grouping] ?? []) {
      const part = plain.filter(
        (one) => groupKeys[grouping]({ ...one, endedAt: one.endedAt + distance }) === key,
      );
      const { records, up_bytes, down_bytes } = figuresOf(part);
      expect(before).toEqual({ records, up_bytes, down_bytes });
    }
  }
};

/** Checks sums from stored counts and from the records alone. */
const expectSums = async (all: readonly CdrFacts[], filter: CdrFilter, orgId: number): Promise<void> => {
  const plain = plainly(all, filter, orgId);
  const provisional = provisionalFrom(now).getTime();
  const { sims: _, sessions: __, ...late } = figuresOf(plain.filter(({ endedAt }) => endedAt >= provisional));
  for (const [few, fewSims] of [[0, 0], [0, undefined], []]) {
    const query = {
      scope: { orgId },
      filter,
      now,
      groupings: groupings as CdrGrouping[],
      before: true,
      few,
      fewSims,
    };
    const found = await readSums(database.db, query);
    expect(found.total).toEqual(figuresOf(plain));
    expectBefore(found, all, filter, orgId);
    expect(found.provisional).toEqual(late);
    for (const grouping of groupings) {
      const groups = (found.groups[grouping] ?? []).filter(({ records }) => records > 0);
      for (const group of groups) {
        const { records, up_bytes, down_bytes, sims: own, sessions } = group;
        const part = plain.filter((one) => groupKeys[grouping](one) === group.key);
        expect({ records, up_bytes, down_bytes, sims: own, sessions }).toEqual(figuresOf(part));
        const {
          sims: _sims,
          sessions: _sessions,
          ...partLate
        } = figuresOf(part.filter(({ endedAt }) => endedAt >= provisional));
        expect(group.provisional).toEqual(partLate);
      }
      expect(groups.reduce((sum, { records }) => sum + records, 0)).toBe(plain.length);
    }
  }
};

describe('sums of records', () => {
  it('and lists match the individual records: late, repeated and reordered ones, across month ends and a leap day', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(cdrArbitrary, { selector: keyOf, maxLength: 40 }),
        fc.uniqueArray(cdrArbitrary, { selector: keyOf, maxLength: 6 }),
        fc.array(cdrQueryArbitrary, { minLength: 4, maxLength: 4 }),
        async (first, later, queries) => {
          await clearUsage(database.pool);
          await database.pool.query(
            'truncate cdr_hours, cdr_counts, cdr_firsts, cdr_sim_counts, cdr_sessions, cdr_traits',
          );
          await importRecords(first);
          const options = first.length % 2 === 0 ? { maxRecords: 5, headSize: 1 } : {};
          for (const work of [refreshCounts, completePacks]) await compute(options, work);
          // Late and doubled records: some hours are computed from other records than they have now.
          await importRecords([...later, ...first.slice(0, 3)]);
          const all = [...new Map([...first, ...later].map((one) => [keyOf(one), one])).values()];
          for (const { from, to, of, session: index, ...rest } of queries) {
            const record = index === undefined ? undefined : all[index % Math.max(1, all.length)];
            const session = record && (await sessionOf(record));
            if (record && session) knownSessions.set(session, `${record.sim} ${record.session}`);
            const filter = {
              ...rest,
              session,
              identifiers: identifiers(of),
              from: from.toISOString(),
              to: new Date(Math.max(+from, +to)).toISOString(),
            } as CdrFilter;
            const orgId = sims[0]?.orgId ?? 0;
            for (const listed of [filter, { from: filter.from, to: filter.to }]) {
              const expected = plainly(all, listed, orgId);
              await expectListedRecords(database.db, { filter: listed, orgId, expected });
            }
            await expectSums(all, filter, orgId);
          }
        },
      ),
      { numRuns: 10, examples: [previousPeriodOnly] },
    );
  }, 120_000);

  /** A session on three days, of a SIM in two networks. */
  const some = [
    '2028-03-01T23:50:00Z',
    '2028-03-02T00:10:00Z',
    '2028-03-03T12:00:00Z',
    '2028-03-03T12:10:00Z',
  ].map(
    (at, index): CdrFacts => ({
      sim: 0,
      endedAt: Date.parse(at),
      up: index,
      mnc: index % 2,
      radio: 3,
      session: 1,
      apn: 1,
    }),
  );
  const since = { from: '2028-03-01T00:00:00Z', to: now.toISOString() };

  it('by SIM include each SIM’s own usage in the previous period, whichever SIMs had the most then', async () => {
    const first = { sim: 0, mnc: 0, radio: 3, session: 1, apn: 1 };
    const second = { ...first, sim: 1 };
    const [own, other] = [sims[0]?.orgId ?? 0, sims[1]?.orgId];
    expect(other).toBe(own);
    await importRecords([
      { ...first, endedAt: Date.parse('2028-03-03T01:00:00Z'), up: 50 },
      { ...second, endedAt: Date.parse('2028-03-03T02:00:00Z'), up: 40 },
      { ...first, endedAt: Date.parse('2028-03-02T03:00:00Z'), up: 4 },
      { ...second, endedAt: Date.parse('2028-03-02T04:00:00Z'), up: 70 },
    ]);
    await compute();
    const filter = { from: '2028-03-03T00:00:00Z', to: '2028-03-04T00:00:00Z' };
    for (const few of [0, undefined]) {
      const query = { scope: { orgId: own }, filter, now, groupings: ['sim'] as const, before: true, few };
      const { groups } = await readSums(database.db, { ...query, maxSims: 1 });
      expect(groups.sim).toMatchObject([{ key: sims[0]?.iccid, up_bytes: 50, before: { up_bytes: 4 } }]);
    }
  });

  it('count SIMs and sessions that are only in the second of two hours not computed yet', async () => {
    const one = { mnc: 0, radio: 3, apn: 1, up: 5 };
    const computed = { ...one, sim: 0, session: 1, endedAt: Date.parse('2028-03-03T12:10:00Z') };
    const later = [
      { ...one, sim: 0, session: 1, endedAt: Date.parse('2028-03-03T13:10:00Z') },
      { ...one, sim: 1, session: 2, endedAt: Date.parse('2028-03-03T14:10:00Z') },
    ];
    await importRecords([computed]);
    await compute();
    await importRecords(later);
    await expectSums([computed, ...later], since, sims[0]?.orgId ?? 0);
  });

  it('by SIM ignore the index of a pack that the previous version wrote, until a job rebuilds it', async () => {
    await importRecords(some);
    await compute({ headSize: 1 });
    // This version does not know the other columns, which then belong to another pack.
    const bad = Buffer.of(120, 120, 120);
    await database.pool.query('update cdr_sim_counts set ids = $1, places = $1, head = $1, map = $1', [bad]);
    const orgId = sims[0]?.orgId ?? 0;
    await expectSums(some, since, orgId);
    await compute({ headSize: 1 }, completePacks);
    const found = await database.pool.query('select from cdr_sim_counts where ids = $1', [bad]);
    expect(found.rowCount).toBe(0);
    await expectSums(some, since, orgId);
    // If SIMs are few among many ids, there are ids instead of a map.
    const own = '(pg_current_xact_id()::text::bigint & 4294967295)';
    await database.pool.query(`update cdr_sim_counts set (map, written) = ('', ${own})`);
    await expectSums(some, since, orgId);
  });

  it('are exact after a kill during a computation, and after the next one', async () => {
    await importRecords(some);
    for (const [step, count, maxRecords] of [
      ['statement', '20', '1000'],
      ['before-commit', '2', '1000'],
      ['before-commit', '3', '1'],
    ] as const) {
      const steps = [database.url, now.toISOString(), step, count, maxRecords];
      const killed = await runProgram('cdr-count-steps', steps);
      expect(killed).toBe('SIGKILL');
      await expectSums(some, since, sims[0]?.orgId ?? 0);
    }
    await compute();
    await expectSums(some, since, sims[0]?.orgId ?? 0);
    const { rows } = await database.pool.query('select sum(records)::int as records from cdr_hours');
    expect(rows).toEqual([{ records: some.length }]);
  });

  it('use the current country of a network', async () => {
    await importRecords(some);
    await compute();
    await database.pool.query(`update networks set country = 'BE' where plmn = 208001`);
    countries = ['DE', 'BE'];
    try {
      await expectSums(some, since, sims[0]?.orgId ?? 0);
      await compute();
      await expectSums(some, since, sims[0]?.orgId ?? 0);
      await expectSums(some, { ...since, country: ['BE'] }, sims[0]?.orgId ?? 0);
    } finally {
      countries = ['DE', 'FR'];
      await syncNetworks(database.pool);
    }
  });

  it('of a network that moved to another country recompute only its hours', async () => {
    const elsewhere = { sim: 1, radio: 3, session: 2, apn: 0, up: 9, mnc: 0 };
    const all = [...some, { ...elsewhere, endedAt: Date.parse('2028-03-02T05:10:00Z') }];
    await importRecords(all);
    await compute();
    const orgId = sims[0]?.orgId ?? 0;
    const hours = async (where: string) => {
      const { rows } = await database.pool.query<{ hour: string }>(
        `select to_char(hour_at at time zone 'UTC', 'DD"T"HH24') as hour from cdr_hour_states where ${where} order by hour_at`,
      );
      return rows.map(({ hour }) => hour);
    };
    // The second and the fourth record are in the French network.
    await database.pool.query(`update networks set country = 'BE' where plmn = 208001`);
    countries = ['DE', 'BE'];
    try {
      expect(await hours('fresh')).toEqual(['01T23', '02T05']);
      expect(await hours('moved')).toEqual(['02T00', '03T12']);
      await expectSums(all, since, orgId);
      // A run killed after the first day leaves the second marked.
      expect(
        await runProgram('cdr-count-steps', [database.url, now.toISOString(), 'after-commit', '2', '1']),
      ).toBe('SIGKILL');
      expect(await hours('moved')).toEqual(['03T12']);
      await expectSums(all, since, orgId);
      await expectSums(all, { ...since, country: ['DE', 'BE'] }, orgId);
      await database.pool.query(`update cdr_hours set computed_at = '2028-01-01' where not moved`);
      await compute();
      expect(await hours('fresh')).toEqual(['01T23', '02T00', '02T05', '03T12']);
      const { rows } = await database.pool.query(
        `select count(*) as count from cdr_hours where computed_at > '2028-01-02'`,
      );
      expect(rows).toEqual([{ count: 1 }]);
      await expectSums(all, { ...since, country: ['BE'] }, orgId);
    } finally {
      countries = ['DE', 'FR'];
      await syncNetworks(database.pool);
    }
  });

  it('are separate for each owner of a transferred SIM', async () => {
    const [own, , other] = sims;
    if (!own || !other) throw new Error('There are SIMs');
    const at = Date.parse('2028-03-04T09:00:00Z');
    const one = { sim: 0, up: 5, mnc: 0, radio: 3, session: 1, apn: 1 };
    await importRecords([{ ...one, endedAt: at }]);
    await inTransaction(database.pool, async (tx) => {
      await tx.query('update sims set org_id = $2 where id = $1', [own.id, other.orgId]);
      await tx.query('update sim_live set org_id = $2 where sim_id = $1', [own.id, other.orgId]);
    });
    await importRecords([{ ...one, endedAt: at + 600_000, up: 7 }]);
    await compute();
    const filter = { from: '2028-03-01T00:00:00Z', to: now.toISOString() };
    for (const [orgId, up_bytes] of [
      [own.orgId, 5],
      [other.orgId, 7],
    ] as const) {
      for (const few of [0, undefined]) {
        const query = { scope: { orgId }, filter, now, groupings: [], before: false, few };
        expect((await readSums(database.db, query)).total).toMatchObject({
          records: 1,
          up_bytes,
          sims: 1,
          sessions: 1,
        });
      }
    }
    await database.pool.query('update sims set org_id = $2 where id = $1', [own.id, own.orgId]);
    await database.pool.query('update sim_live set org_id = $2 where sim_id = $1', [own.id, own.orgId]);
  });
});
