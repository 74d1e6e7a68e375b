import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Select } from './index.ts';

const options = ['ES', 'FR'].map((value) => ({ value, label: value }));

const show = (mode?: 'tags') => {
  const onChange = vi.fn();
  const multiple = mode ? { mode } : {};
  render(
    <>
      <Select<string> {...multiple} aria-label="Country" onChange={onChange} options={options} />
      <button type="button">Next</button>
    </>,
  );
  return { user: userEvent.setup(), onChange };
};

/** As browsers send it: antd reads the old code of a key, which user-event leaves out. */
const press = (key: 'Tab' | 'Enter') =>
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'Country' }), {
    key,
    keyCode: { Tab: 9, Enter: 13 }[key],
  });

test.each([['one', undefined] as const, ['tags', 'tags'] as const])(
  'Tab leaves a highlighted option where it is: %s',
  async (_, mode) => {
    const { user, onChange } = show(mode);
    await user.click(screen.getByRole('combobox', { name: 'Country' }));
    expect(press('Tab')).toBe(true);
    await user.tab();
    expect(screen.getByRole('button', { name: 'Next' })).toHaveFocus();
    expect(onChange).not.toHaveBeenCalled();
  },
);

test('Enter chooses it', async () => {
  const { user, onChange } = show();
  await user.click(screen.getByRole('combobox', { name: 'Country' }));
  press('Enter');
  expect(onChange).toHaveBeenCalledWith('ES', expect.anything());
});
