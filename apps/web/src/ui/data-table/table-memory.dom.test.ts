import { beforeEach, describe, expect, test } from 'vitest';
import { arrange, freshMemory, moveColumn, readMemory, visibleColumns, writeMemory } from './table-memory.ts';

const columns = [
  { id: 'iccid', fixed: true },
  { id: 'device' },
  { id: 'imsi', initiallyHidden: true },
  { id: 'tags' },
];
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

describe("a table's memory", () => {
  beforeEach(() => localStorage.clear());

  test('is restored', () => {
    const memory = {
      ...freshMemory,
      order: ['tags', 'iccid'],
      widths: { tags: 180 },
    };
    writeMemory(localStorage, 'sims', memory);
    expect(readMemory(localStorage, 'sims')).toEqual(memory);
    expect(readMemory(localStorage, 'others')).toEqual(freshMemory);
  });

  test.each(['{', 'null', '{"widths":{"tags":-1}}', '{"order":7}'])('survives %s', (stored) => {
    localStorage.setItem('simcube.table.sims', stored);
    expect(readMemory(localStorage, 'sims')).toEqual(freshMemory);
  });

  test('survives a storage that throws', () => {
    const refusing = {
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    expect(() => writeMemory(refusing as unknown as Storage, 'sims', freshMemory)).not.toThrow();
  });

  test('shows the declared columns by default, and never hides the identifying column', () => {
    expect(ids(visibleColumns(columns, freshMemory))).toEqual(['iccid', 'device', 'tags']);
    const decided = { ...freshMemory, shown: { imsi: true, device: false, iccid: false } };
    expect(ids(visibleColumns(columns, decided))).toEqual(['iccid', 'imsi', 'tags']);
  });

  test('puts a new column beside its declared neighbour', () => {
    expect(ids(arrange(columns, ['tags', 'device', 'iccid']))).toEqual(['tags', 'device', 'imsi', 'iccid']);
    expect(ids(arrange(columns, ['gone', 'tags', 'tags']))).toEqual(['iccid', 'device', 'imsi', 'tags']);
  });

  test('moves a column and stops at the ends', () => {
    expect(moveColumn(columns, freshMemory, { id: 'tags', by: -1 })).toEqual([
      'iccid',
      'device',
      'tags',
      'imsi',
    ]);
    expect(moveColumn(columns, freshMemory, { id: 'iccid', by: -1 })).toEqual(ids(columns));
    expect(moveColumn(columns, freshMemory, { id: 'none', by: 1 })).toEqual(ids(columns));
  });
});
