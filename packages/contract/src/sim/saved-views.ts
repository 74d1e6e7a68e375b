import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instantSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { checkOrder } from '../order.ts';
import { textSchema } from '../text.ts';
import { simFilterSchema, simListBodySchema } from './schemas.ts';
import { readSims } from './single-sim.ts';

/** Actions on a saved view; `change` covers its name, filter and sort. */
export const savedViewActions = ['change', 'share', 'withdraw', 'remove'] as const;
export type SavedViewAction = (typeof savedViewActions)[number];

export const savedViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  filter: simFilterSchema,
  /** Null: the default sort of the list. */
  sort: simListBodySchema.shape.sort.unwrap().nullable(),
  /** Part of the filter is no longer supported, so the rest matches more SIMs than intended. */
  outdated: z.boolean(),
  /** Visible to everybody in the organisation who may read SIMs. */
  shared: z.boolean(),
  own: z.boolean(),
  /** Name of the person who saved it; null if that person has left and it belongs to the organisation. */
  owner: z.string().nullable(),
  /** Actions that the caller may perform now. Anybody who sees a view may save a copy. */
  may: z.array(z.enum(savedViewActions)),
  created_at: instantSchema,
  updated_at: instantSchema,
});
export type SavedView = z.output<typeof savedViewSchema>;

const viewId = z.string().regex(/^\d{1,18}$/);
const params = z.strictObject({ viewId });
const viewBody = z.strictObject({
  name: textSchema({ max: limits.savedViews.name }),
  filter: simFilterSchema.superRefine(checkOrder),
  sort: savedViewSchema.shape.sort.default(null),
});

export const savedViewEndpoints = {
  listViews: endpoint({
    id: 'sim.listViews',
    method: 'GET',
    path: '/cube/sim/views',
    summary:
      "Saved views of the SIM list in this organisation: one's own and those that are shared, in one's own order",
    access: readSims,
    response: z.array(savedViewSchema),
    errors: [],
    retry: 'safe',
  }),
  saveView: endpoint({
    id: 'sim.saveView',
    method: 'POST',
    path: '/cube/sim/views',
    summary: 'Save a filter under a name that is unique among one’s views',
    access: readSims,
    body: viewBody,
    response: savedViewSchema,
    errors: ['CB-01-0022', 'CB-01-0023'],
    retry: 'never',
    audit: 'view.saved',
  }),
  updateView: endpoint({
    id: 'sim.updateView',
    method: 'PUT',
    path: '/cube/sim/views/{viewId}',
    summary: 'Rename a saved view, or change its filter or sort; omitted fields keep their values',
    access: readSims,
    params,
    body: viewBody.extend({ sort: savedViewSchema.shape.sort }).partial(),
    response: savedViewSchema,
    errors: ['CB-01-0023'],
    retry: 'safe',
    audit: 'view.changed',
  }),
  shareView: endpoint({
    id: 'sim.shareView',
    method: 'PUT',
    path: '/cube/sim/views/{viewId}/shared',
    summary: 'Share a saved view with the organisation; only its owner may',
    access: readSims,
    params,
    response: savedViewSchema,
    errors: ['CB-01-0027'],
    retry: 'safe',
    audit: 'view.shared',
  }),
  withdrawView: endpoint({
    id: 'sim.withdrawView',
    method: 'DELETE',
    path: '/cube/sim/views/{viewId}/shared',
    summary: "Withdraw a shared view, which remains its owner's; its owner and administrators may",
    access: readSims,
    params,
    response: z.null(),
    errors: ['CB-01-0028'],
    retry: 'safe',
    audit: 'view.withdrawn',
  }),
  removeView: endpoint({
    id: 'sim.removeView',
    method: 'DELETE',
    path: '/cube/sim/views/{viewId}',
    summary: 'Remove a saved view; administrators may remove those that belong to the organisation',
    access: readSims,
    params,
    response: z.null(),
    errors: [],
    retry: 'safe',
    audit: 'view.removed',
  }),
  orderViews: endpoint({
    id: 'sim.orderViews',
    method: 'PUT',
    path: '/cube/sim/viewOrder',
    summary: 'Set one’s own order of saved views; views that are not listed follow by name',
    access: readSims,
    body: z.strictObject({
      view_ids: z.array(viewId).max(limits.savedViews.perPerson + limits.savedViews.shared),
    }),
    response: z.null(),
    errors: ['CB-00-0404'],
    retry: 'safe',
    audit: 'none',
  }),
} as const;
