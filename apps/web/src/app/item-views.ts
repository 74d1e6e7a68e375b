import type { ItemViews } from '../features/task/index.ts';

const ofSims = {
  title: 'sim.taskItems',
  label: 'sim.columns.iccid',
  permission: 'sim',
  path: (iccid: string) => `simCard/${encodeURIComponent(iccid)}`,
} as const;

/** Items of tasks, by the kind that the server's modules declare. */
export const itemViews: ItemViews = {
  sim: {
    ...ofSims,
    list: {
      label: 'sim.taskSims',
      path: (reference) => `simCard?task=${encodeURIComponent(reference)}`,
    },
  },
  /** Of a scheduled SMS. */
  recipient: ofSims,
};
