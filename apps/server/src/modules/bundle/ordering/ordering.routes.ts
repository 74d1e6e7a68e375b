import { endpoints } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { page, type Route, route } from '../../../platform/http/index.ts';
import { asked, readPage } from '../../../platform/lists/index.ts';
import { type Orderer, type Ordering, ordererOf, type SimFacts, type SimOrder } from '../../sim/index.ts';
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

import { type FindBundlePrices, priced } from '../prices.views.ts';

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
    how: { preview: boolean; startsAtOnce: (lifecycle: SimFacts['lifecycle']) => boolean },
  ) => {
    if (!how.preview) return { preview: null, task: await ordering.accept(orderer, order) };
    const { preview, allowed } = await ordering.inspect(orderer, order);
    const asked = { bundlePrices, orgId: orderer.org.id, now: clock.now() };
    const lines = await priced(orderLines(allowed, how.startsAtOnce), asked);
    return { preview: { ...preview, lines }, task: null };
  };
  return [
    route(bundle.listOffered, async ({ query }) => {
      const { kind, ...wanted } = query;
      return page(await readPage(db, offeredList, { scope: { kind }, now: clock.now(), ...asked(wanted) }));
    }),
    route(bundle.renew, ({ body: { selection, preview }, ...call }) =>
      answer(ordererOf(call), renewal(selection, clock.now()), {
        preview,
        startsAtOnce: (lifecycle) => lifecycle === 'expired',
      }),
    ),
    route(bundle.topUp, ({ body: { selection, preview, bundle_code: code }, ...call }) =>
      answer(ordererOf(call), topUp({ selection, code, now: clock.now() }), {
        preview,
        startsAtOnce: (lifecycle) => lifecycle === 'active',
      }),
    ),
    route(bundle.change, ({ body: { selection, preview, ...parameters }, ...call }) =>
      answer(ordererOf(call), change({ selection, parameters, now: clock.now() }), {
        preview,
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
