import { endpoints, limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Db, Sql } from '../../../platform/db/index.ts';
import { page, type Route, route } from '../../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../../platform/lists/index.ts';
import { type Orderer, type Ordering, ordererOf, type SimFacts, type SimOrder } from '../../sim/index.ts';
import { agreementOn, digestOf } from '../agreed-preview.ts';
import { type FindBundlePrices, priced } from '../prices.views.ts';
import {
  type ChangeParameters,
  changeRule,
  type OrderingFacts,
  orderLines,
  renewRule,
  topUpRule,
} from './ordering.rules.ts';
import { findFactsFor, findRenewalFacts, offeredList } from './ordering.views.ts';

const { bundle } = endpoints;

type Allowed = Parameters<typeof orderLines>[0];

export interface OrderingRoutesOptions {
  db: Db;
  clock: Clock;
  ordering: Ordering;
  bundlePrices: FindBundlePrices;
}

export const orderingRoutes = ({ db, clock, ordering, bundlePrices }: OrderingRoutesOptions): Route[] => {
  const answer = async <P>(
    orderer: Orderer,
    order: SimOrder<P, OrderingFacts>,
    {
      preview,
      agreed,
      startsAtOnce,
    }: {
      preview: boolean;
      agreed: string | undefined;
      startsAtOnce: (lifecycle: SimFacts['lifecycle']) => boolean;
    },
  ) => {
    const linesOf = (allowed: Allowed, tx?: Sql) =>
      priced(orderLines(allowed, startsAtOnce), {
        ...{ bundlePrices, orgId: orderer.org.id, now: clock.now() },
        ...(tx && { tx }),
      });
    if (!preview) {
      const agreement = agreementOn(agreed, (tx, allowed: Allowed) => linesOf(allowed, tx));
      return { preview: null, task: await ordering.accept(orderer, { ...order, ...agreement }) };
    }
    const { preview: found, allowed } = await ordering.inspect(orderer, order);
    const lines = await linesOf(allowed);
    const shown = { ...found, digest: digestOf(lines), lines: lines.slice(0, limits.previewSample) };
    return { preview: shown, task: null };
  };
  return [
    route(bundle.listOffered, async ({ query }) => {
      const { kind, ...wanted } = query;
      return page(
        await readPage(db, offeredList, { scope: { kind }, now: clock.now(), ...pageQueryOf(wanted) }),
      );
    }),
    route(bundle.renew, ({ body: { selection, preview, preview_digest: agreed }, ...call }) =>
      answer(ordererOf(call), renewal(selection, clock.now()), {
        ...{ preview, agreed },
        startsAtOnce: (lifecycle) => lifecycle === 'expired',
      }),
    ),
    route(
      bundle.topUp,
      ({ body: { selection, preview, preview_digest: agreed, bundle_code: code }, ...call }) =>
        answer(ordererOf(call), topUp({ selection, code, now: clock.now() }), {
          ...{ preview, agreed },
          startsAtOnce: (lifecycle) => lifecycle === 'active',
        }),
    ),
    route(bundle.change, ({ body: { selection, preview, preview_digest: agreed, ...parameters }, ...call }) =>
      answer(ordererOf(call), change({ selection, parameters, now: clock.now() }), {
        ...{ preview, agreed },
        startsAtOnce: () => parameters.when === 'now',
      }),
    ),
  ];
};

const renewal = (selected: SimSelection, now: Date): SimOrder<object, OrderingFacts> => ({
  rule: renewRule,
  parameters: {},
  remark: null,
  selected,
  more: findRenewalFacts(now),
});

interface Chosen {
  selection: SimSelection;
  now: Date;
}

const topUp = ({
  selection: selected,
  code,
  now,
}: Chosen & { code: string }): SimOrder<{ bundle_code: string }, OrderingFacts> => ({
  rule: topUpRule,
  parameters: { bundle_code: code },
  remark: code,
  selected,
  more: findFactsFor({ code, kind: 'supplementary', now }),
  audited: { bundle: code },
});

const change = ({
  selection: selected,
  parameters,
  now,
}: Chosen & { parameters: ChangeParameters }): SimOrder<ChangeParameters, OrderingFacts> => {
  const { bundle_code: code, when } = parameters;
  return {
    rule: changeRule,
    parameters,
    remark: code,
    selected,
    more: findFactsFor({ code, kind: 'basic', now }),
    audited: { bundle: code, when },
  };
};
