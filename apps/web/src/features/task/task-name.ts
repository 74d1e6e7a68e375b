import type { Task, TaskType } from '@simcube/contract/task';
import type { Phrases } from '@simcube/phrases/load';
import { exists, type TFunction } from 'i18next';

/** Only some names say how many. */
const isNamedInSingular = (type: TaskType): type is keyof Phrases['task']['typesOfOne'] =>
  exists(`task.typesOfOne.${type}`);

/** What a task does, in the singular if it is about only one and its name says how many. */
export const taskName = ({ type, quantity }: Pick<Task, 'type' | 'quantity'>, t: TFunction): string =>
  quantity === 1 && isNamedInSingular(type) ? t(`task.typesOfOne.${type}`) : t(`task.types.${type}`);
