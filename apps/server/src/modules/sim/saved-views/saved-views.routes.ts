import { allows, endpoints, type PermissionMap } from '@simcube/contract';
import { type Route, route } from '../../../platform/http/index.ts';
import { createSavedViews, type SavedViewsOptions, type ViewsWriter } from './saved-views.service.ts';
import { listViews } from './saved-views.views.ts';

const { sim } = endpoints;

const writerOf = (call: {
  org: { id: number; permissions: PermissionMap };
  principal: { userId: string };
  actor: ViewsWriter['actor'];
}): ViewsWriter => ({
  orgId: call.org.id,
  userId: call.principal.userId,
  administers: allows(call.org.permissions, 'account', 'write'),
  actor: call.actor,
});

export const savedViewRoutes = (options: SavedViewsOptions): Route[] => {
  const views = createSavedViews(options);
  return [
    route(sim.listViews, ({ org, principal: { userId } }) =>
      listViews(options.pool, {
        orgId: org.id,
        userId,
        administers: allows(org.permissions, 'account', 'write'),
      }),
    ),
    route(sim.saveView, (call) => views.save(writerOf(call), call.body)),
    route(sim.updateView, (call) => views.update(writerOf(call), call.params.viewId, call.body)),
    route(sim.shareView, (call) => views.share(writerOf(call), call.params.viewId)),
    route(sim.withdrawView, (call) => views.withdraw(writerOf(call), call.params.viewId)),
    route(sim.removeView, (call) => views.remove(writerOf(call), call.params.viewId)),
    route(sim.orderViews, (call) => views.order(writerOf(call), call.body.view_ids)),
  ];
};
