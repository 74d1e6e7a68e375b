import { instantSchema } from '@simcube/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { simsInUrl } from '../../lib/list-store/index.ts';
import { dayParam, numberParam, someOf } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';
import { setTimeDisplay } from '../../lib/time/index.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { FilterBar } from '../filter-bar/index.ts';
import { useFilterBuilder, useSimsFilter } from './index.ts';

const sim = z.string().regex(/^\d{5,8}$/);
const bytes = numberParam(z.int().min(0));
const logSearch = listSearch({
  filters: {
    from: dayParam,
    to: dayParam,
    at_from: instantSchema,
    at_to: instantSchema,
    min: bytes,
    max: bytes,
    task: z.string().regex(/^T\d{8}$/),
    operator: someOf(z.string().regex(/^\d{3}-\d{2}$/), 3),
    sims: someOf(sim, 50),
    list: z.string(),
  },
});
type LogSearch = SearchOf<typeof logSearch>;
const sims = simsInUrl({ kind: 'test', identifier: sim, max: 60 });

let search: LogSearch;
const Bar = ({ initial }: { initial: LogSearch }) => {
  const [current, setCurrent] = useState(initial);
  search = current;
  const target = {
    of: logSearch,
    search: current,
    onFilter: (filter: Partial<LogSearch>) => setCurrent({ ...current, ...filter }),
  };
  const by = useFilterBuilder(target);
  return (
    <FilterBar
      filters={[
        by.days(['from', 'to'], { label: 'Day' }),
        by.instants(['at_from', 'at_to'], { label: 'Moment' }),
        by.range(['min', 'max'], {
          id: 'used',
          label: 'Used',
          unit: 'kB',
          scale: 1000,
          max: 1000,
          format: ({ min, max }) => `${min} to ${max} kB`,
        }),
        by.text('task', { label: 'Task', maxLength: 20 }),
        by.words('operator', { label: 'Operator', placeholder: '', suggestions: [], max: 2 }),
        useSimsFilter({ ...target, of: sims, label: 'SIMs', placeholder: 'ICCID', problem: 'No number' }),
      ]}
      onClear={() => undefined}
      onEdit={() => undefined}
      search={undefined}
    />
  );
};

const edit = async (label: string, initial: LogSearch = {}) => {
  const { user } = renderScreen(<Bar initial={initial} />);
  const add = await screen.findByRole('button', { name: '+ Filter' });
  const chip = screen.queryByRole('button', { name: new RegExp(`^${label}`) });
  await user.click(chip ?? add);
  if (!chip) await user.click(await screen.findByRole('menuitem', { name: label }));
  const editor = within(await screen.findByRole('dialog', { name: label }));
  return { user, editor };
};
/** As browsers report it while a year is typed. */
const typeYear = (field: HTMLElement): void => {
  for (const year of ['0002', '0020', '0202', '2026']) {
    fireEvent.change(field, { target: { value: `${year}-11-22` } });
    expect(field).toHaveValue(`${year}-11-22`);
  }
};

beforeEach(() => signedInAs('admin'));
afterEach(() => {
  vi.unstubAllEnvs();
  setTimeDisplay('UTC');
});

describe('a day', () => {
  test.each(['Day', 'Moment'])('keeps what was typed while its year is incomplete: %s', async (label) => {
    const { editor } = await edit(label);
    typeYear(editor.getByLabelText('From'));
    expect(editor.queryByRole('alert')).not.toBeInTheDocument();
    expect(search).toMatchObject(
      label === 'Day' ? { from: '2026-11-22' } : { at_from: '2026-11-22T00:00:00.000Z' },
    );
  });

  test('whose year is changed keeps the filter until the new one is complete', async () => {
    const { editor } = await edit('Day', { from: '2025-11-22' });
    fireEvent.change(editor.getByLabelText('From'), { target: { value: '0002-11-22' } });
    expect(search.from).toBe('2025-11-22');
    typeYear(editor.getByLabelText('From'));
    expect(search.from).toBe('2026-11-22');
  });

  test('that stays incomplete is reported when its field is left', async () => {
    const { user, editor } = await edit('Day');
    const field = editor.getByLabelText('From');
    await user.click(field);
    fireEvent.change(field, { target: { value: '0202-11-22' } });
    expect(editor.queryByRole('alert')).not.toBeInTheDocument();
    await user.tab();
    expect(editor.getByRole('alert')).toHaveTextContent('This is not a valid date');
    expect(field).toBeInvalid();
    expect(search.from).toBeUndefined();
  });

  test('before the start is not applied', async () => {
    const { editor } = await edit('Day', { from: '2026-11-22' });
    fireEvent.change(editor.getByLabelText('To'), { target: { value: '2026-11-21' } });
    expect(editor.getByRole('alert')).toHaveTextContent('The end must not be before the start');
    expect(search.to).toBeUndefined();
  });
});

test('an end of a period that is not edited keeps its instant, which may be a day’s in another zone', async () => {
  vi.stubEnv('TZ', 'Asia/Shanghai');
  setTimeDisplay('LOCAL');
  const { editor } = await edit('Moment', {
    at_from: '2026-11-22T00:00:00.000Z',
    at_to: '2026-11-22T23:59:59.999Z',
  });
  expect(editor.getByLabelText('To')).toHaveValue('2026-11-23');
  fireEvent.change(editor.getByLabelText('From'), { target: { value: '2026-11-20' } });
  expect(search).toMatchObject({ at_from: '2026-11-19T16:00:00.000Z', at_to: '2026-11-22T23:59:59.999Z' });
});

describe('a range', () => {
  test('reports a minimum above the maximum, and applies both once they fit', async () => {
    const { user, editor } = await edit('Used', { min: 5000, max: 10_000 });
    const [min, max] = [editor.getByLabelText(/^At least/), editor.getByLabelText(/^At most/)];
    await user.clear(min);
    await user.type(min, '50');
    await user.tab();
    expect(min).toHaveValue('50');
    expect(editor.getByRole('alert')).toHaveTextContent('Must be at least 50 kB');
    expect(search).toMatchObject({ min: 5000, max: 10_000 });
    await user.clear(max);
    await user.type(max, '80');
    expect(editor.queryByRole('alert')).not.toBeInTheDocument();
    expect(search).toMatchObject({ min: 50_000, max: 80_000 });
  });

  test('keeps the exact value of the end that is not edited', async () => {
    const { user, editor } = await edit('Used', { min: 499, max: 10_000 });
    expect(editor.getByLabelText(/^At least/)).toHaveValue('0');
    await user.type(editor.getByLabelText(/^At most/), '0');
    expect(search).toMatchObject({ min: 499, max: 100_000 });
  });
});

test('a text that the URL would not accept is reported', async () => {
  const { user, editor } = await edit('Task');
  await user.type(editor.getByRole('textbox'), 'T123{Enter}');
  expect(editor.getByRole('alert')).toHaveTextContent('The format is not valid');
  expect(search.task).toBeUndefined();
  await user.type(editor.getByRole('textbox'), '45678{Enter}');
  expect(search.task).toBe('T12345678');
});

describe('words', () => {
  test('that the URL would not accept are reported, the others applied', async () => {
    const { user, editor } = await edit('Operator');
    await user.type(editor.getByRole('combobox'), 'Vodafone,262-02,');
    expect(editor.getByRole('alert')).toHaveTextContent('The format is not valid (Vodafone)');
    expect(editor.getByRole('combobox')).toBeInvalid();
    expect(search.operator).toEqual(['262-02']);
  });

  test('beyond the maximum are reported', async () => {
    const { user, editor } = await edit('Operator', { operator: ['262-01', '262-02'] });
    await user.type(editor.getByRole('combobox'), '262-03,');
    expect(editor.getByRole('alert')).toHaveTextContent('Choose at most 2 (262-03)');
    expect(search.operator).toEqual(['262-01', '262-02']);
  });
});

describe('a filter by SIMs', () => {
  test('names the pasted texts that are no identifiers', async () => {
    const { user, editor } = await edit('SIMs');
    await user.click(editor.getByRole('combobox'));
    await user.paste('12345 123 67890 123456789 12');
    expect(editor.getByRole('alert')).toHaveTextContent('No number (123, 123456789 +1)');
    expect(search).toMatchObject({ sims: ['12345', '67890'] });
  });

  test('shows that this tab does not have its list, and replaces it', async () => {
    const { user, editor } = await edit('SIMs', { list: 'abcd1234' });
    expect(screen.getByRole('button', { name: /^SIMs/ })).toHaveTextContent(
      'This list is not available in this tab',
    );
    await user.type(editor.getByRole('combobox'), '12345,');
    expect(search).toMatchObject({ sims: ['12345'], list: undefined });
  });
});
