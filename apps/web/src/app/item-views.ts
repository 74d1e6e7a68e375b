import type { ItemViews } from '../features/task/index.ts';

const simItems = {
  title: 'sim.taskItems',
  label: 'sim.columns.iccid',
  permission: 'sim',
  path: (iccid: string) => `simCard/${encodeURIComponent(iccid)}`,
} as const;

const simItemsWithList = {
  ...simItems,
  list: {
    label: 'sim.taskSims',
    path: (reference: string) => `simCard?task=${encodeURIComponent(reference)}`,
  },
} as const;

/** Views of task items, by the kind that the server's modules declare. */
export const itemViews: ItemViews = {
  sim: simItemsWithList,
  /** A message to many SIMs. */
  message: simItemsWithList,
  /** A scheduled SMS. */
  recipient: simItems,
};
