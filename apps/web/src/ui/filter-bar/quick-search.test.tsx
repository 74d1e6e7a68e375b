import { fireEvent, screen, waitFor } from '@testing-library/react';
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

test('Enter searches immediately, but not for the text that is already searched for', async () => {
  const { onChange, field } = show();
  pressEnter(await field);
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.change(await field, { target: { value: 'pump' } });
  pressEnter(await field);
  expect(onChange.mock.calls).toEqual([['pump']]);
});
