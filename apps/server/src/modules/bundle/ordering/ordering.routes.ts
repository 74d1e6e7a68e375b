import { endpoints, limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Db, Sql } from '../../../platform/db/index.ts';
import { page, type Route, route } from '../../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../../platform/lists/index.ts';
import { type Orderer, type Ordering, ordererOf, type SimFacts, type SimOrder } from '../../sim/index.ts';
import { checkLines, digestOf } from '../preview-digest.ts';
import type { FindBundlePrices } from '../prices.views.ts';
import {
  type ChangeParameters,
  changeRule,
  isOrder,
  type OrderingFacts,
  orderLines,
  renewRule,
  topUpRule,
} from './ordering.rules.ts';
import {
  type FindPooledSims,
  findFactsFor,
  findRenewalFacts,
  findTopUpFacts,
  offeredList,
} from './ordering.views.ts';

const { bundle } = endpoints;

type Allowed = Parameters<typeof orderLines>[0];

export interface OrderingRoutesOptions {
  db: Db;
  clock: Clock;
  ordering: Ordering;
  bundlePrices: FindBundlePrices;
  findPooledSims: FindPooledSims;
}

export const orderingRoutes = ({
  db,
  clock,
  ordering,
  bundlePrices,
  findPooledSims,
}: OrderingRoutesOptions): Route[] => {
  const previewOrAccept = async <P>(
    orderer: Orderer,
    order: SimOrder<P, OrderingFacts>,
    {
      preview,
      previewDigest,
      startsImmediately,
      joinsCycle = false,
    }: {
      preview: boolean;
      previewDigest: string | undefined;
      startsImmediately: (lifecycle: SimFacts['lifecycle']) => boolean;
      /** The running cycle includes what is ordered, so its price is charged; otherwise a new cycle begins. */
      joinsCycle?: boolean;
    },
  ) => {
    const linesOf = async (allowed: Allowed, tx?: Sql) => {
      const now = clock.now();
      const orders = allowed.flatMap(({ extraFacts }) => (isOrder(extraFacts) ? [extraFacts] : []));
      const priceOf = await bundlePrices({
        orgId: orderer.org.id,
        codes: orders.map(({ bundleToOrder: { code } }) => code),
        cycleStarts: [now, ...orders.map(({ cycleStartedAt }) => cycleStartedAt)],
        ...(tx && { tx }),
      });
      return orderLines(allowed, {
        startsImmediately,
        priceOf: ({ bundleToOrder: { code }, cycleStartedAt }) =>
          priceOf(code, joinsCycle ? cycleStartedAt : now),
      });
    };
    if (!preview) {
      const checkPreview = checkLines((tx, allowed: Allowed) => linesOf(allowed, tx));
      return {
        preview: null,
        task: await ordering.accept(orderer, { ...order, previewDigest, checkPreview }),
      };
    }
    const { preview: inspected, allowed } = await ordering.inspect(orderer, order);
    const lines = await linesOf(allowed);
    const shown = {
      ...inspected,
      digest: digestOf(allowed, lines),
      lines: lines.slice(0, limits.previewSample),
    };
    return { preview: shown, task: null };
  };
  return [
    route(bundle.listOffered, async ({ query }) => {
      const { kind, ...listQuery } = query;
      return page(
        await readPage(db, offeredList, { scope: { kind }, now: clock.now(), ...pageQueryOf(listQuery) }),
      );
    }),
    route(bundle.renew, ({ body: { selection, preview, preview_digest: previewDigest }, ...call }) =>
      previewOrAccept(ordererOf(call), renewal(selection, clock.now()), {
        preview,
        previewDigest,
        startsImmediately: (lifecycle) => lifecycle === 'expired',
      }),
    ),
    route(
      bundle.topUp,
      ({ body: { selection, preview, preview_digest: previewDigest, bundle_code: code }, ...call }) =>
        previewOrAccept(ordererOf(call), topUp({ selection, code, now: clock.now(), findPooledSims }), {
          preview,
          previewDigest,
          startsImmediately: (lifecycle) => lifecycle === 'active',
          joinsCycle: true,
        }),
    ),
    route(
      bundle.change,
      ({ body: { selection, preview, preview_digest: previewDigest, ...parameters }, ...call }) =>
        previewOrAccept(ordererOf(call), change({ selection, parameters, now: clock.now() }), {
          preview,
          previewDigest,
          startsImmediately: () => parameters.when === 'now',
        }),
    ),
  ];
};

const renewal = (selected: SimSelection, now: Date): SimOrder<object, OrderingFacts> => ({
  rule: renewRule,
  parameters: {},
  remark: null,
  selected,
  extraFacts: findRenewalFacts(now),
});

interface OrderInput {
  selection: SimSelection;
  now: Date;
}

const topUp = ({
  selection: selected,
  code,
  ...facts
}: OrderInput & { code: string; findPooledSims: FindPooledSims }): SimOrder<
  { bundle_code: string },
  OrderingFacts
> => ({
  rule: topUpRule,
  parameters: { bundle_code: code },
  remark: code,
  selected,
  extraFacts: findTopUpFacts({ code, ...facts }),
  auditDetails: { bundle: code },
});

const change = ({
  selection: selected,
  parameters,
  now,
}: OrderInput & { parameters: ChangeParameters }): SimOrder<ChangeParameters, OrderingFacts> => {
  const { bundle_code: code, when } = parameters;
  return {
    rule: changeRule,
    parameters,
    remark: code,
    selected,
    extraFacts: findFactsFor({ code, kind: 'basic', now }),
    auditDetails: { bundle: code, when },
  };
};
