import { endpoints } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import { type Route, route } from '../../../platform/http/index.ts';
import { type Ordering, ordererOf, type SimOrder } from '../../sim/index.ts';
import { type ActivationFacts, activateRule } from './activation.rules.ts';
import { findActivationFacts } from './activation.views.ts';

const { bundle } = endpoints;

export const activationOrder = (selected: SimSelection): SimOrder<object, ActivationFacts> => ({
  rule: activateRule,
  parameters: {},
  remark: null,
  selected,
  more: findActivationFacts,
});

export const activationRoutes = ({ ordering }: { ordering: Ordering }): Route[] => [
  route(bundle.previewActivation, ({ body, ...call }) =>
    ordering.preview(ordererOf(call), activationOrder(body.selection)),
  ),
  route(bundle.activate, ({ body, ...call }) =>
    ordering.answer(ordererOf(call), activationOrder(body.selection), body.preview),
  ),
];
