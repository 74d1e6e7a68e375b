import { endpoints } from '@simcube/contract';
import { type Route, route } from '../../../platform/http/index.ts';
import { removeView, type SavedViewsOptions, saveView } from './saved-views.service.ts';
import { listViews } from './saved-views.views.ts';

const { sim } = endpoints;

export const savedViewRoutes = (options: SavedViewsOptions): Route[] => [
  route(sim.listViews, ({ org, principal }) =>
    listViews(options.pool, { orgId: org.id, userId: principal.userId }),
  ),
  route(sim.saveView, ({ org, principal, actor, body }) =>
    saveView(options, { owner: { orgId: org.id, userId: principal.userId }, actor }, body),
  ),
  route(sim.removeView, ({ org, principal, actor, params }) =>
    removeView(options, { owner: { orgId: org.id, userId: principal.userId }, actor }, params.viewId),
  ),
];
