import { endpoints } from '@simcube/contract';
import type { Db } from '../../../platform/db/index.ts';
import { page, type Route, route } from '../../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../../platform/lists/index.ts';
import { ordererOf } from '../../sim/index.ts';
import { type BundleOrdersOptions, createBundleOrders } from './ordering.service.ts';
import { offeredList } from './ordering.views.ts';

const { bundle } = endpoints;

export interface OrderingRoutesOptions extends BundleOrdersOptions {
  db: Db;
}

export const orderingRoutes = ({ db, ...options }: OrderingRoutesOptions): Route[] => {
  const orders = createBundleOrders(options);
  return [
    route(bundle.listOffered, async ({ query: { kind, ...listQuery } }) =>
      page(
        await readPage(db, offeredList, {
          scope: { kind },
          now: options.clock.now(),
          ...pageQueryOf(listQuery),
        }),
      ),
    ),
    route(bundle.renew, ({ body, ...call }) => orders.renew(ordererOf(call), body)),
    route(bundle.topUp, ({ body, ...call }) => orders.topUp(ordererOf(call), body)),
    route(bundle.change, ({ body, ...call }) => orders.change(ordererOf(call), body)),
  ];
};
