import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Segmented } from './index.ts';

const options = [
  { value: 'once', label: 'Once' },
  { value: 'weekly', label: 'Weekly' },
] as const;

const Choice = () => {
  const [value, setValue] = useState<'once' | 'weekly'>('weekly');
  return (
    <>
      <Segmented label="When" onChange={setValue} options={options} value={value} />
      <button type="button">Save</button>
    </>
  );
};

test('a segmented control is one tab stop, and arrows choose', async () => {
  render(<Choice />);
  const user = userEvent.setup();
  await user.tab();
  expect(screen.getByRole('radio', { name: 'Weekly' })).toHaveFocus();
  await user.keyboard('{ArrowLeft}');
  expect(screen.getByRole('radio', { name: 'Once' })).toBeChecked();
  await user.tab();
  expect(screen.getByRole('button', { name: 'Save' })).toHaveFocus();
});
