import type { Lifecycle } from '@simcube/contract/sim';
import { expect, test } from 'vitest';
import { noSelection } from '../../../ui/data-table/index.ts';
import { selectionOf } from './selection-of.ts';

test.each<[filter: Lifecycle[] | undefined, sent: Lifecycle[]]>([
  [undefined, ['pre-activated']],
  [['pre-activated', 'active'], ['pre-activated']],
  // None can be activated: the SIMs that the person sees are refused, and no others are activated.
  [['active'], ['active']],
])('with the status filter %j, activating all that match concerns %j', (lifecycle, sent) => {
  expect(selectionOf(noSelection, { lifecycle, tags: ['fleet'] }, ['pre-activated'])).toEqual({
    filter: expect.objectContaining({ lifecycle: sent, tags: ['fleet'] }),
  });
});
