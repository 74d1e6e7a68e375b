import type { Task } from '@simcube/contract/task';
import type { TFunction } from 'i18next';

/** Tasks whose name says how many things they are about. */
const countedTypes = [
  'sim-activate',
  'sim-suspend',
  'sim-resume',
  'sim-reset',
  'sim-terminate',
  'sim-terminate-order',
  'sim-renew',
  'sim-top-up',
  'sim-change-bundle',
  'sim-transfer',
  'pool-enrol',
  'pool-exit',
] as const;

/** What a task does, in the singular if it is about only one. */
export const taskName = ({ type, quantity }: Pick<Task, 'type' | 'quantity'>, t: TFunction): string => {
  const counted = quantity === 1 ? countedTypes.find((one) => one === type) : undefined;
  return counted ? t(`task.typesOfOne.${counted}`) : t(`task.types.${type}`);
};
