import { triggerNumbers } from '@simcube/contract/autoflow';
import { lifecycleNumbers } from '@simcube/contract/sim';

/** @returns the meanings of numbers in the open API: `10 pre-activated, 23 active` */
const meaningsOf = (numbers: Readonly<Record<string, number>>): string =>
  Object.entries(numbers)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ');

export const lifecycleNumber = `Lifecycle status as a number: ${meaningsOf(lifecycleNumbers)}`;
export const triggerNumber = `Number of the trigger in the open API: ${meaningsOf(triggerNumbers)}`;
