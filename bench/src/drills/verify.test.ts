import { expect, it } from 'vitest';
import { formatTable, passed } from './drill.ts';
import { billTallies, usageTallies } from './verify.ts';

const sums = { sims: 4000, pools: 2 };

it('a counter below its records counts as lost, one above them as doubled', () => {
  const tallies = usageTallies([
    { recordedBytes: '70', storedBytes: '65' },
    { recordedBytes: '70', storedBytes: '75' },
    // A count of records is wrong, not their octets.
    { recordedBytes: '70', storedBytes: '70' },
    sums,
  ]);
  expect(tallies).toMatchObject([{ stored: 4002, lost: 2, doubled: 1 }]);
  expect(passed(tallies)).toBe(false);
  expect(passed(usageTallies([sums]))).toBe(true);
});

it('bill lines below or above their records count as lost or doubled', () => {
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  const bill = {
    mismatches: ['101', '102', '99'].map((billed) => ({ billed, computed: '100' })),
  };
  expect(billTallies([bill, { mismatches: [] }], note)).toMatchObject([{ stored: 2, lost: 1, doubled: 2 }]);
  expect(notes).toEqual([]);
  expect(passed(billTallies([], note))).toBe(true);
  expect(notes).toHaveLength(1);
});

it('the table has a row for each tally and a column for each count', () => {
  expect(formatTable(usageTallies([sums])).split('\n')).toEqual([
    'what                                     sent  acknowledged  stored  lost  doubled',
    'counters and rollups of SIMs and pools  4,002         4,002   4,002     0        0',
  ]);
});
