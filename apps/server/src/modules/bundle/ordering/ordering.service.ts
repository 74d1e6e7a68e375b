import { limits } from '@simcube/contract';
import type { Agreement, SimSelection } from '@simcube/contract/sim';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Orderer, Ordering, SimFacts, SimOrder } from '../../sim/index.ts';
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
import { type FindPooledSims, findFactsFor, findRenewalFacts, findTopUpFacts } from './ordering.views.ts';

type Allowed = Parameters<typeof orderLines>[0];

export interface BundleOrdersOptions {
  clock: Clock;
  ordering: Ordering;
  bundlePrices: FindBundlePrices;
  findPooledSims: FindPooledSims;
}

interface OrderBody extends Agreement {
  selection: SimSelection;
}

interface Pricing {
  startsImmediately: (lifecycle: SimFacts['lifecycle']) => boolean;
  /** The running cycle includes what is ordered, so its price is charged; otherwise a new cycle begins. */
  joinsCycle?: boolean;
}

/** Orders of administrators: each returns a preview with prices, or begins a task if that preview was agreed to. */
export const createBundleOrders = ({
  clock,
  ordering,
  bundlePrices,
  findPooledSims,
}: BundleOrdersOptions) => {
  const previewOrAccept = async <P>(
    orderer: Orderer,
    order: SimOrder<P, OrderingFacts>,
    { preview, preview_digest: previewDigest }: Agreement,
    { startsImmediately, joinsCycle = false }: Pricing,
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
  return {
    renew: (orderer: Orderer, body: OrderBody) =>
      previewOrAccept(orderer, renewal(body.selection, clock.now()), body, {
        startsImmediately: (lifecycle) => lifecycle === 'expired',
      }),
    topUp: (orderer: Orderer, body: OrderBody & { bundle_code: string }) => {
      const { selection, bundle_code: code } = body;
      return previewOrAccept(orderer, topUp({ selection, code, now: clock.now(), findPooledSims }), body, {
        startsImmediately: (lifecycle) => lifecycle === 'active',
        joinsCycle: true,
      });
    },
    change: (orderer: Orderer, body: OrderBody & ChangeParameters) => {
      const { selection, bundle_code, when } = body;
      const parameters = { bundle_code, when };
      return previewOrAccept(orderer, change({ selection, parameters, now: clock.now() }), body, {
        startsImmediately: () => when === 'now',
      });
    },
  };
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
