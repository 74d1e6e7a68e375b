import { describe, expect, test, vi } from 'vitest';
import { type ChoiceFilter, clearFilter, filterText, isSet, type NumberFilter } from './filter.ts';

const status: ChoiceFilter = {
  kind: 'choice',
  id: 'lifecycle',
  label: 'Status',
  options: [
    { value: 'active', label: 'Active' },
    { value: 'paused', label: 'Paused' },
    { value: 'expired', label: 'Expired' },
  ],
  value: undefined,
  onChange: () => undefined,
};
const usage: NumberFilter = {
  kind: 'number',
  id: 'usage',
  label: 'Usage',
  format: (value) => `≥ ${value} %`,
  suggestions: [50, 80],
  min: 0,
  max: 1000,
  value: 80,
  onChange: () => undefined,
};

describe('a filter chip', () => {
  test('shows the first values and the number of others', () => {
    expect(filterText({ ...status, value: ['active'] })).toBe('Active');
    expect(filterText({ ...status, value: ['active', 'paused', 'expired', 'gone'] })).toBe(
      'Active, Paused +2',
    );
  });

  test('shows a value that is no longer offered unchanged', () => {
    expect(filterText({ ...status, value: ['gone'] })).toBe('gone');
  });

  test('formats numbers, including 0', () => {
    expect(filterText(usage)).toBe('≥ 80 %');
    expect(isSet({ ...usage, value: 0 })).toBe(true);
    expect(isSet({ ...usage, value: undefined })).toBe(false);
  });

  test('is absent while nothing is selected', () => {
    expect(isSet(status)).toBe(false);
    expect(isSet({ ...status, value: [] })).toBe(false);
  });

  test('is removed by clearing its value', () => {
    const onChange = vi.fn();
    clearFilter({ ...usage, onChange });
    expect(onChange).toHaveBeenCalledWith(undefined);
  });
});
