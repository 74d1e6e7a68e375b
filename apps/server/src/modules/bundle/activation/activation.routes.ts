import { endpoints, limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { type Route, route } from '../../../platform/http/index.ts';
import { type Inspection, type Orderer, type Ordering, ordererOf, type SimOrder } from '../../sim/index.ts';
import { checkLines, digestOf } from '../preview-digest.ts';
import type { FindBundlePrices } from '../prices.views.ts';
import { type ActivationFacts, activateRule, plansToStart } from './activation.rules.ts';
import { findActivationFacts } from './activation.views.ts';

const { bundle } = endpoints;

export const activationOrder = (selected: SimSelection): SimOrder<object, ActivationFacts> => ({
  rule: activateRule,
  parameters: {},
  remark: null,
  selected,
  extraFacts: findActivationFacts,
});

type Allowed = Inspection<ActivationFacts>['allowed'];

export interface ActivationRoutesOptions {
  clock: Clock;
  ordering: Ordering;
  bundlePrices: FindBundlePrices;
}

export const activationRoutes = ({ clock, ordering, bundlePrices }: ActivationRoutesOptions): Route[] => {
  const linesOf = async ({ org }: Orderer, allowed: Allowed, tx?: Sql) => {
    const plans = plansToStart(allowed);
    const now = clock.now();
    const codes = plans.map(({ bundle: { code } }) => code);
    const priceOf = await bundlePrices({ orgId: org.id, codes, cycleStarts: [now], ...(tx && { tx }) });
    return plans.map((plan) => ({ ...plan, price: priceOf(plan.bundle.code, now) }));
  };
  const previewActivation = async (orderer: Orderer, selected: SimSelection) => {
    const { preview, allowed } = await ordering.inspect(orderer, activationOrder(selected));
    const lines = await linesOf(orderer, allowed);
    return {
      ...preview,
      digest: digestOf(allowed, lines),
      activations: lines.slice(0, limits.previewSample),
    };
  };
  return [
    route(bundle.previewActivation, ({ body, ...call }) =>
      previewActivation(ordererOf(call), body.selection),
    ),
    route(
      bundle.activate,
      async ({ body: { selection, preview, preview_digest: previewDigest }, ...call }) => {
        const orderer = ordererOf(call);
        if (preview) return { preview: await previewActivation(orderer, selection), task: null };
        const checkPreview = checkLines((tx, allowed: Allowed) => linesOf(orderer, allowed, tx));
        const order = { ...activationOrder(selection), previewDigest, checkPreview };
        return { preview: null, task: await ordering.accept(orderer, order) };
      },
    ),
  ];
};
