import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Menu } from './index.ts';

const show = () => {
  const chosen = vi.fn();
  const items = ['Export', 'Transfer', 'Rename'].map((label) => ({
    key: label,
    label,
    disabled: label === 'Transfer',
    onClick: () => chosen(label),
  }));
  render(
    <>
      <Menu items={items} placement="bottomLeft">
        <button type="button">More</button>
      </Menu>
      <button type="button">Next</button>
    </>,
  );
  return { user: userEvent.setup(), chosen, button: screen.getByRole('button', { name: 'More' }) };
};

const opened = async () =>
  await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Export' })).toHaveFocus());

test('the button of a menu exposes its popup, and whether it is open', async () => {
  const { user, button } = show();
  expect(button).toHaveAttribute('aria-haspopup', 'menu');
  expect(button).toHaveAttribute('aria-expanded', 'false');
  await user.click(button);
  expect(button).toHaveAttribute('aria-expanded', 'true');
});

test.each(['{Enter}', ' ', '{ArrowDown}'])(
  'a menu opens with %s, is navigated by keys, and restores focus',
  async (key) => {
    const { user, chosen, button } = show();
    await user.tab();
    await user.keyboard(key);
    await opened();
    await user.keyboard('{ArrowDown}{Enter}');
    expect(screen.getByRole('menuitem', { name: 'Transfer' })).toHaveFocus();
    expect(chosen).not.toHaveBeenCalled();
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('menuitem', { name: 'Rename' })).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('menuitem', { name: 'Export' })).toHaveFocus();
    await user.keyboard('{ArrowUp}');
    expect(screen.getByRole('menuitem', { name: 'Rename' })).toHaveFocus();
    await user.keyboard('{Home}{End}e');
    expect(screen.getByRole('menuitem', { name: 'Export' })).toHaveFocus();
    await user.keyboard('r{Enter}');
    expect(chosen.mock.calls).toEqual([['Rename']]);
    expect(button).toHaveFocus();
    expect(button).toHaveAttribute('aria-expanded', 'false');
  },
);

test('Escape closes a menu, and does not reach the page below', async () => {
  const { user, chosen, button } = show();
  const below = vi.fn();
  window.addEventListener('keydown', below);
  await user.click(button);
  await opened();
  await user.keyboard('{Escape}');
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute('aria-expanded', 'false');
  expect(below).not.toHaveBeenCalled();
  expect(chosen).not.toHaveBeenCalled();
});

test('Tab continues from the button of a menu', async () => {
  const { user, chosen } = show();
  await user.click(screen.getByRole('button', { name: 'More' }));
  await opened();
  await user.tab();
  expect(screen.getByRole('button', { name: 'Next' })).toHaveFocus();
  expect(chosen).not.toHaveBeenCalled();
});
