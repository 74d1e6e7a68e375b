import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { narrow } from '../media/index.ts';
import { type Filter, FilterBar, FilterBarButton } from './index.ts';

const names = ['status', 'bundle', 'country'] as const;
type Values = Partial<Record<(typeof names)[number], string[] | undefined>>;
const advanced = vi.fn();

/** @param permanent the filter whose chip can't be removed */
const Bar = ({ initial, permanent }: { initial: Values; permanent?: string | undefined }) => {
  const [values, setValues] = useState(initial);
  const filters = names.map<Filter>((name) => ({
    kind: 'choice',
    id: name,
    label: `By ${name}`,
    permanent: name === permanent,
    options: ['one', 'two'].map((value) => ({ value, label: `${name} ${value}` })),
    value: values[name],
    onChange: (value) => setValues({ ...values, [name]: value }),
  }));
  return (
    <FilterBar
      filters={filters}
      searches={<FilterBarButton onClick={advanced}>Advanced</FilterBarButton>}
      onClear={() => setValues({})}
      onEdit={() => undefined}
      search={undefined}
    />
  );
};
const show = (initial: Values, permanent?: string) =>
  renderScreen(<Bar initial={initial} permanent={permanent} />);

/** Only the first chip fits into the row. */
const narrowed = () => {
  const { matchMedia } = window;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...matchMedia(query),
    matches: query === narrow,
  }));
  vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function (this: HTMLElement) {
    return this.previousElementSibling ? 36 : 0;
  });
};
const chips = () =>
  screen
    .getAllByRole('button', { name: /^Remove filter/ })
    .map((button) => button.getAttribute('aria-label'));
const more = () => screen.findByRole('button', { name: /^More filters/ });

beforeEach(() => advanced.mockClear());
afterEach(() => vi.restoreAllMocks());

test('a wide filter bar shows every filter in use as a chip', async () => {
  show({ status: ['one'], bundle: ['two'] });
  expect(await screen.findByText('bundle two')).toBeVisible();
  expect(screen.queryByText('More filters')).not.toBeInTheDocument();
});

test('a narrow filter bar has one row, and more filters behind a button', async () => {
  narrowed();
  const { user } = show({ status: ['one'], bundle: ['two'] });
  expect(await more()).toHaveTextContent('More filters1');
  expect(chips()).toEqual(['Remove filter By status']);
  await user.click(await more());
  const panel = await screen.findByRole('dialog', { name: 'More filters' });
  await user.click(within(panel).getByRole('button', { name: 'Remove filter By bundle' }));
  expect(within(panel).queryByText('bundle two')).not.toBeInTheDocument();
  expect(within(panel).getByRole('button', { name: 'By bundle' })).toBeInTheDocument();
  await user.click(within(panel).getByRole('button', { name: 'Clear all' }));
  expect(screen.queryByRole('button', { name: /^Remove filter/ })).not.toBeInTheDocument();
});

test('a permanent filter can be changed but not removed, also behind the button', async () => {
  narrowed();
  const { user } = show({ status: ['one'], bundle: ['two'] }, 'bundle');
  await user.click(await more());
  const panel = await screen.findByRole('dialog', { name: 'More filters' });
  expect(within(panel).getByRole('button', { name: 'By bundle bundle two' })).toBeInTheDocument();
  expect(within(panel).queryByRole('button', { name: 'Remove filter By bundle' })).not.toBeInTheDocument();
});

test('a filter opened from “More filters” moves into the row', async () => {
  narrowed();
  const { user } = show({ status: ['one'], bundle: ['two'] });
  await user.click(await more());
  await user.click(await screen.findByRole('button', { name: 'By bundle bundle two' }));
  const editor = await screen.findByRole('dialog', { name: 'By bundle' });
  expect(screen.queryByRole('dialog', { name: 'More filters' })).not.toBeInTheDocument();
  expect(chips()).toEqual(['Remove filter By bundle']);
  await user.click(within(editor).getByLabelText('bundle one'));
  expect(screen.getByText('bundle one, bundle two')).toBeVisible();
});

test('other searches close “More filters”', async () => {
  narrowed();
  const { user } = show({});
  await user.click(await more());
  await user.click(await screen.findByRole('button', { name: 'Advanced' }));
  expect(advanced).toHaveBeenCalledOnce();
  expect(screen.queryByRole('dialog', { name: 'More filters' })).not.toBeInTheDocument();
});
