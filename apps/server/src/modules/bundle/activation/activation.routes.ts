import { endpoints, limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { type Route, route } from '../../../platform/http/index.ts';
import { type Orderer, type Ordering, ordererOf, type SimOrder } from '../../sim/index.ts';
import { agreementOn, digestOf } from '../agreed-preview.ts';
import { type FindBundlePrices, priced } from '../prices.views.ts';
import { type ActivationFacts, activateRule, startedPlans } from './activation.rules.ts';
import { findActivationFacts } from './activation.views.ts';

const { bundle } = endpoints;

export const activationOrder = (selected: SimSelection): SimOrder<object, ActivationFacts> => ({
  rule: activateRule,
  parameters: {},
  remark: null,
  selected,
  more: findActivationFacts,
});

type Allowed = Parameters<typeof startedPlans>[0];

export interface ActivationRoutesOptions {
  clock: Clock;
  ordering: Ordering;
  bundlePrices: FindBundlePrices;
}

export const activationRoutes = ({ clock, ordering, bundlePrices }: ActivationRoutesOptions): Route[] => {
  const linesOf = ({ org }: Orderer, allowed: Allowed, tx?: Sql) =>
    priced(startedPlans(allowed), { bundlePrices, orgId: org.id, now: clock.now(), ...(tx && { tx }) });
  const previewed = async (orderer: Orderer, selected: SimSelection) => {
    const { preview, allowed } = await ordering.inspect(orderer, activationOrder(selected));
    const lines = await linesOf(orderer, allowed);
    return { ...preview, digest: digestOf(lines), activations: lines.slice(0, limits.previewSample) };
  };
  return [
    route(bundle.previewActivation, ({ body, ...call }) => previewed(ordererOf(call), body.selection)),
    route(bundle.activate, async ({ body: { selection, preview, preview_digest: agreed }, ...call }) => {
      const orderer = ordererOf(call);
      if (preview) return { preview: await previewed(orderer, selection), task: null };
      const agreement = agreementOn(agreed, (tx, allowed: Allowed) => linesOf(orderer, allowed, tx));
      const order = { ...activationOrder(selection), ...agreement };
      return { preview: null, task: await ordering.accept(orderer, order) };
    }),
  ];
};
