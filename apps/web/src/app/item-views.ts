import type { ItemViews } from '../features/task/index.ts';

/** Items of tasks, by the kind that the server's modules declare. */
export const itemViews: ItemViews = {
  sim: {
    title: 'sim.taskItems',
    label: 'sim.columns.iccid',
    permission: 'sim',
    path: (iccid) => `simCard/${encodeURIComponent(iccid)}`,
    list: {
      label: 'sim.taskSims',
      path: (reference) => `simCard?task=${encodeURIComponent(reference)}`,
    },
  },
};
