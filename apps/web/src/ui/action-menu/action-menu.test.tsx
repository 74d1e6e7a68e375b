import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { ActionMenu } from './index.ts';

const show = async () => {
  const chosen = vi.fn();
  const items = vi.fn(() =>
    ['Suspend', 'Export'].map((label) => ({ key: label, label, onClick: () => chosen(label) })),
  );
  const { user } = renderScreen(<ActionMenu items={items} label="Actions of one" />);
  await screen.findByRole('button', { name: 'Actions of one' });
  return { user, chosen, items };
};

const dots = () => screen.getByRole('button', { name: 'Actions of one' });
const itemHasFocus = async (name: string) =>
  await waitFor(() => expect(screen.getByRole('menuitem', { name })).toHaveFocus());

test('an action menu computes its items only when it is opened', async () => {
  const { user, items, chosen } = await show();
  expect(dots()).toHaveAttribute('aria-expanded', 'false');
  expect(dots()).toHaveAttribute('aria-haspopup', 'menu');
  expect(items).not.toHaveBeenCalled();
  await user.click(dots());
  await itemHasFocus('Suspend');
  await user.click(screen.getByRole('menuitem', { name: 'Export' }));
  expect(chosen).toHaveBeenCalledExactlyOnceWith('Export');
});

test.each(['{Enter}', ' ', '{ArrowDown}'])(
  'an action menu opens with %s, and restores focus each time it closes',
  async (key) => {
    const { user } = await show();
    await user.tab();
    for (let round = 0; round < 2; round += 1) {
      await user.keyboard(key);
      await itemHasFocus('Suspend');
      await user.keyboard('{Escape}');
      await waitFor(() => expect(dots()).toHaveFocus());
    }
  },
);
