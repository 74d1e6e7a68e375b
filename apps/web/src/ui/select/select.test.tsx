import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Select, useServerSearch } from './index.ts';

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

/** As browsers send it: antd reads the legacy key code, which user-event leaves out. */
const press = (key: 'Tab' | 'Enter') =>
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'Country' }), {
    key,
    keyCode: { Tab: 9, Enter: 13 }[key],
  });

test.each([['one', undefined] as const, ['tags', 'tags'] as const])(
  'Tab does not choose the highlighted option: %s',
  async (_, mode) => {
    const { user, onChange } = show(mode);
    await user.click(screen.getByRole('combobox', { name: 'Country' }));
    expect(press('Tab')).toBe(true);
    await user.tab();
    expect(screen.getByRole('button', { name: 'Next' })).toHaveFocus();
    expect(onChange).not.toHaveBeenCalled();
  },
);

test('Enter chooses the highlighted option', async () => {
  const { user, onChange } = show();
  await user.click(screen.getByRole('combobox', { name: 'Country' }));
  press('Enter');
  expect(onChange).toHaveBeenCalledWith('ES', expect.anything());
});

test('a search on the server is truncated to its maximum length', async () => {
  const user = userEvent.setup();
  const Sought = () => {
    const { search, showSearch } = useServerSearch(4);
    return (
      <>
        <Select<string> aria-label="Country" options={options} showSearch={showSearch} />
        <output>{search}</output>
      </>
    );
  };
  render(<Sought />);
  await user.type(screen.getByRole('combobox', { name: 'Country' }), 'Spain');
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Spai'));
  expect(screen.getByRole('combobox', { name: 'Country' })).toHaveValue('Spai');
});
