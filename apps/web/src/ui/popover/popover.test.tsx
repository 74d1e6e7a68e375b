import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { Popover } from './index.ts';

const show = (content = <Columns />) => {
  render(
    <>
      <Popover content={content} label="Columns" placement="bottomLeft">
        <button type="button">Choose columns</button>
      </Popover>
      <button type="button">Next</button>
    </>,
  );
  return { user: userEvent.setup(), button: screen.getByRole('button', { name: 'Choose columns' }) };
};

const Columns = () => (
  <>
    <input aria-label="Name" type="checkbox" />
    <button type="button">Reset</button>
  </>
);

const dialog = async () => await screen.findByRole('dialog', { name: 'Columns' });
const gone = async () => await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

describe('a popover', () => {
  test('takes focus, traps Tab, and restores focus on Escape', async () => {
    const { user, button } = show();
    const below = vi.fn();
    window.addEventListener('keydown', ({ key }) => below(key));
    await user.tab();
    await user.keyboard('{Enter}');
    await dialog();
    expect(screen.getByRole('checkbox', { name: 'Name' })).toHaveFocus();
    await user.tab();
    expect(screen.getByRole('button', { name: 'Reset' })).toHaveFocus();
    await user.tab();
    expect(screen.getByRole('checkbox', { name: 'Name' })).toHaveFocus();
    await user.tab({ shift: true });
    expect(screen.getByRole('button', { name: 'Reset' })).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(button).toHaveFocus();
    expect(button).toHaveAttribute('aria-expanded', 'false');
    expect(below).not.toHaveBeenCalledWith('Escape');
    await gone();
  });

  test('focuses the checked radio of a group', async () => {
    const { user } = show(
      <div role="radiogroup">
        {['a', 'b', 'c'].map((name) => (
          <input aria-label={name} defaultChecked={name === 'b'} key={name} name="letter" type="radio" />
        ))}
      </div>,
    );
    await user.tab();
    await user.keyboard('{Enter}');
    await dialog();
    expect(screen.getByRole('radio', { name: 'b' })).toHaveFocus();
  });

  test('has focus itself when nothing inside is focusable', async () => {
    const { user, button } = show(<p>Nothing yet</p>);
    await user.click(button);
    expect(await dialog()).toHaveFocus();
    await user.tab();
    expect(await dialog()).toHaveFocus();
  });

  test('closes on a click elsewhere, and keeps the focus that it sets', async () => {
    const { user } = show();
    await user.click(screen.getByRole('button', { name: 'Choose columns' }));
    await dialog();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByRole('button', { name: 'Next' })).toHaveFocus();
    await gone();
  });
});
