import type { ChargeLine } from '@simcube/contract/price';
import { hourMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import {
  applyPrices,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
  tariff,
  testCosts,
} from '../../../testing/prices.ts';
import { createBundle, moveOrders } from '../../bundle/index.ts';
import { orderBundle } from '../../bundle/lifecycle/ordering.service.ts';
import { listPooledSpans } from '../../pool/index.ts';
import { refreshStoredCosts } from '../../price/costs/stored-costs.service.ts';
import { lockLive, moveSims } from '../../sim/transfer/transfer.queries.ts';
import { networkUsage, recordUsageHandover } from '../../usage/index.ts';
import { billMonth } from '../bill.rules.ts';
import { createLineBook } from './line-book.rules.ts';
import type { UsageSource } from './section.rules.ts';
import { chargeSims } from './section-charges.service.ts';

const megabyte = 2 ** 20;
const codes = ['acme', 'branch', 'other'] as const;
type Code = (typeof codes)[number];

let test: TestApp;
let orgs: Readonly<Record<Code, number>>;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T02:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  const ids = [];
  for (const code of codes) ids.push((await makeOrganisation(test, { code, parentCode: 'operator' })).id);
  const [acme = 0, branch = 0, other = 0] = ids;
  orgs = { acme, branch, other };
  await makePricedBundles(pool());
  await createBundle(
    pool(),
    bundleOf({
      code: 'MONTH',
      type: 'postpaid bundle',
      quota_bytes: 10 * megabyte,
      overage_policy: 'billing',
      out_of_coverage_policy: 'billing',
      coverage_countries: ['DE'],
      reset_cycle: 'month',
      duration_days: null,
    }),
  );
  const bundles = {
    MONTH: { activation: '1', cycle: '5', over: '0.01' },
    TOP: { activation: '3' },
  };
  const versions = [{ starts_on: '2026-01-01', bundles, zones: { asia: '0.1', rest: '1' } }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['operator'] });
});
afterAll(() => test.close());

type Happening = { to: Code } | { country: 'DE' | 'JP'; megabytes: number } | 'top-up';
const happenings = fc.array(
  fc.oneof(
    fc.record({ to: fc.constantFrom(...codes) }),
    fc.record({
      country: fc.constantFrom('DE' as const, 'JP' as const),
      megabytes: fc.integer({ min: 1, max: 9 }),
    }),
    fc.constant('top-up' as const),
  ),
  { minLength: 1, maxLength: 8 },
);

const transfer = async (simId: number, { from, to, at }: { from: number; to: number; at: Date }) =>
  inTransaction(pool(), async (tx) => {
    await lockLive(tx, [simId]);
    await moveSims(tx, { simIds: [simId], from, to, at }, []);
    await recordUsageHandover(tx, { simIds: [simId], at });
    await moveOrders(tx, { simIds: [simId], orgId: to });
  });

/** A SIM of `acme` with these events in its month, six hours apart. */
const lived = async (plan: readonly Happening[]) => {
  let now = new Date('2026-10-01T02:00:00Z');
  test.clock.set(now.toISOString());
  const sim = await makeSimWithBundles(test, { orgId: orgs.acme, now, bundles: ['MONTH'] });
  let owner: Code = 'acme';
  for (const one of plan) {
    now = new Date(now.getTime() + 6 * hourMs);
    test.clock.set(now.toISOString());
    if (one === 'top-up') {
      const order = { iccids: [sim.iccid], bundleCode: 'TOP', count: 1, now };
      await inTransaction(pool(), (tx) => orderBundle(tx, order));
    } else if ('country' in one) {
      const { country, megabytes } = one;
      await importUsage(test, sim.iccid, [{ at: now.toISOString(), bytes: megabytes * megabyte, country }]);
    } else if (one.to !== owner) {
      await transfer(sim.id, { from: orgs[owner], to: orgs[one.to], at: now });
      owner = one.to;
    }
  }
  return { ...sim, owner };
};

const brief = ({
  kind,
  bundle,
  zone,
  quantity,
  bytes,
}: Omit<ChargeLine, 'amount_minor' | 'unit' | 'price_micros'>) =>
  [kind, (bundle ?? zone)?.code, quantity, bytes].join(' ');

const inOrder = (lines: string[]): string[] => lines.toSorted((one, other) => (one < other ? -1 : 1));

/** What the bill of October charges an organisation for a SIM. */
const billed = async (orgId: number, simId: number, source: UsageSource = 'counters'): Promise<string[]> => {
  const section = {
    orgId,
    customerId: orgId,
    month: billMonth('2026-10'),
    tariffId: null,
    ...({ terms: 'post-payment', source } as const),
  };
  const book = createLineBook();
  const found: string[] = [];
  for await (const { charges } of chargeSims(pool(), book, section, { corrects: null })) {
    for (const { bill, line, quantity, bytes, simId: of } of charges) {
      const booked = bill.lines.find((one) => one.line === line);
      if (!booked || of !== simId) continue;
      const amounts = { quantity: Number(quantity), bytes: bytes === null ? null : Number(bytes) };
      found.push(brief({ ...booked, kind: booked.kind as ChargeLine['kind'], ...amounts }));
    }
  }
  return inOrder(found);
};

const shown = async (orgId: number, iccid: string): Promise<string[]> =>
  inOrder((await testCosts(pool())({ orgId, iccids: [iccid] })).get(iccid)?.lines.map(brief) ?? []);

const keep = () =>
  refreshStoredCosts({ pool: pool(), networkUsage, listPooledSpans }, new AbortController().signal);

describe('what a SIM’s month costs on screens', () => {
  it.each<[string, Happening[], string[]]>([
    ['A to B', [{ to: 'branch' }], []],
    ['A to B and back', [{ to: 'branch' }, { to: 'acme' }], ['activation MONTH 1 ', 'cycle MONTH 1 ']],
    ['A to B to C', [{ to: 'branch' }, 'top-up', { to: 'other' }], []],
  ])('is what the bill charges who has it then: %s', async (_ways, plan, expected) => {
    const { id, iccid, owner } = await lived(plan);
    expect(await shown(orgs[owner], iccid)).toEqual(expected);
    expect(await billed(orgs[owner], id)).toEqual(expected);
  });

  it('is found again by lists after a SIM was transferred away and back within a minute', async () => {
    const { id } = await lived([]);
    await keep();
    const later = (seconds: number) => new Date(test.clock.now().getTime() + seconds * 1000);
    await transfer(id, { from: orgs.acme, to: orgs.branch, at: later(1) });
    await transfer(id, { from: orgs.branch, to: orgs.acme, at: later(2) });
    await keep();
    const { rows } = await pool().query('select cost_micros from sim_live where sim_id = $1', [id]);
    expect(rows).toEqual([{ cost_micros: 6_000_000 }]);
  });

  it('equals the bill of the owner at the time; each fee is charged to one owner', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, async (plan) => {
        const { id, iccid, owner } = await lived(plan);
        expect(await shown(orgs[owner], iccid)).toEqual(await billed(orgs[owner], id));
        const all = [];
        for (const code of codes) {
          const lines = await billed(orgs[code], id);
          expect(await billed(orgs[code], id, 'records')).toEqual(lines);
          all.push(...lines);
        }
        expect(all.filter((line) => line.startsWith('cycle'))).toEqual(['cycle MONTH 1 ']);
        expect(all.filter((line) => line.startsWith('activation MONTH'))).toEqual(['activation MONTH 1 ']);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  }, 120_000);
});
