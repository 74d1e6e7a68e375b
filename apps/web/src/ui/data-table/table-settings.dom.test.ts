import { beforeEach, describe, expect, test } from 'vitest';
import {
  defaultSettings,
  inStoredOrder,
  moveColumn,
  readSettings,
  visibleColumns,
  writeSettings,
} from './table-settings.ts';

const columns = [
  { id: 'iccid', fixed: true },
  { id: 'device' },
  { id: 'imsi', initiallyHidden: true },
  { id: 'tags' },
];
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

describe("a table's settings", () => {
  beforeEach(() => localStorage.clear());

  test('are restored', () => {
    const memory = {
      ...defaultSettings,
      order: ['tags', 'iccid'],
      widths: { tags: 180 },
    };
    writeSettings(localStorage, 'sims', memory);
    expect(readSettings(localStorage, 'sims')).toEqual(memory);
    expect(readSettings(localStorage, 'others')).toEqual(defaultSettings);
  });

  test.each(['{', 'null', '{"widths":{"tags":-1}}', '{"order":7}'])(
    'ignore the invalid value %s',
    (stored) => {
      localStorage.setItem('simcube.table.sims', stored);
      expect(readSettings(localStorage, 'sims')).toEqual(defaultSettings);
    },
  );

  test('tolerate a storage that throws', () => {
    const refusing = {
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    expect(() => writeSettings(refusing as unknown as Storage, 'sims', defaultSettings)).not.toThrow();
  });

  test('show the declared columns by default, and never hide the identifying column', () => {
    expect(ids(visibleColumns(columns, defaultSettings))).toEqual(['iccid', 'device', 'tags']);
    const decided = { ...defaultSettings, shown: { imsi: true, device: false, iccid: false } };
    expect(ids(visibleColumns(columns, decided))).toEqual(['iccid', 'imsi', 'tags']);
  });

  test('put a new column beside its declared neighbour', () => {
    expect(ids(inStoredOrder(columns, ['tags', 'device', 'iccid']))).toEqual([
      'tags',
      'device',
      'imsi',
      'iccid',
    ]);
    expect(ids(inStoredOrder(columns, ['gone', 'tags', 'tags']))).toEqual([
      'iccid',
      'device',
      'imsi',
      'tags',
    ]);
  });

  test('move a column, and stop at the ends', () => {
    expect(moveColumn(columns, defaultSettings, { id: 'tags', by: -1 })).toEqual([
      'iccid',
      'device',
      'tags',
      'imsi',
    ]);
    expect(moveColumn(columns, defaultSettings, { id: 'iccid', by: -1 })).toEqual(ids(columns));
    expect(moveColumn(columns, defaultSettings, { id: 'none', by: 1 })).toEqual(ids(columns));
  });
});
