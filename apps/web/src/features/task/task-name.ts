import type { Task } from '@simcube/contract/task';
import type { TFunction } from 'i18next';

/** What a task does, in the singular if it is about only one and its name says how many. */
export const taskName = ({ type, quantity }: Pick<Task, 'type' | 'quantity'>, t: TFunction): string =>
  quantity === 1
    ? t([`task.typesOfOne.${type as 'sim-reset'}`, `task.types.${type}`])
    : t(`task.types.${type}`);
