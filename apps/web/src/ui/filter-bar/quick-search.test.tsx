import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { QuickSearch } from './quick-search.tsx';

const show = () => {
  const onChange = vi.fn<(text: string) => void>();
  renderScreen(
    <QuickSearch maxLength={60} onChange={onChange} onEdit={() => undefined} placeholder="Find" value="" />,
  );
  return { onChange, field: screen.findByRole('textbox', { name: 'Find' }) };
};

const pressEnter = (box: HTMLElement): void => {
  fireEvent.keyDown(box, { key: 'Enter' });
  fireEvent.keyUp(box, { key: 'Enter' });
};

afterEach(() => vi.useRealTimers());

test('the quick search waits until an input method has composed a word', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { onChange, field } = show();
  const box = await field;
  fireEvent.compositionStart(box);
  fireEvent.change(box, { target: { value: 'beijing' } });
  vi.advanceTimersByTime(2000);
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.change(box, { target: { value: '北京' } });
  fireEvent.compositionEnd(box);
  vi.advanceTimersByTime(2000);
  await waitFor(() => expect(onChange.mock.calls).toEqual([['北京']]));
});

test('the button that empties it says so', async () => {
  const { field } = show();
  fireEvent.change(await field, { target: { value: 'pump' } });
  fireEvent.click(screen.getByRole('button', { name: 'Clear the text' }));
  expect(await field).toHaveValue('');
});

test('Enter searches immediately, but not for the text that is already searched for', async () => {
  const { onChange, field } = show();
  pressEnter(await field);
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.change(await field, { target: { value: 'pump' } });
  pressEnter(await field);
  expect(onChange.mock.calls).toEqual([['pump']]);
});

const Numbers = () => {
  const [value, setValue] = useState('42');
  return (
    <>
      <QuickSearch
        isValid={(text) => /^\d*$/.test(text)}
        problem="Only digits"
        maxLength={60}
        onChange={setValue}
        onEdit={() => undefined}
        placeholder="Find"
        value={value}
      />
      <output>{value === '' ? 'all' : `only ${value}`}</output>
    </>
  );
};

test('a text that can not be searched for stays with a message, and removes the previous search', async () => {
  renderScreen(<Numbers />);
  const box = await screen.findByRole('textbox', { name: 'Find' });
  fireEvent.change(box, { target: { value: 'pump' } });
  expect(box).toBeValid();
  pressEnter(box);
  expect(screen.getByText('all')).toBeVisible();
  expect(box).toHaveValue('pump');
  expect(box).toBeInvalid();
  expect(box).toHaveAccessibleDescription('Only digits');
  fireEvent.change(box, { target: { value: '7' } });
  expect(box).toBeValid();
  pressEnter(box);
  expect(screen.getByText('only 7')).toBeVisible();
});
