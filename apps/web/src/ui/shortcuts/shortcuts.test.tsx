import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { isShortcut, useShortcut } from './index.ts';
import { type Shortcut, shortcuts } from './shortcuts.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

const names = Object.keys(shortcuts) as Shortcut[];
const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test('the shortcuts dialog lists every declared shortcut, by scope', async () => {
  render(<ShortcutsDialog onClose={() => undefined} open />);
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(within(dialog).getAllByRole('term')).toHaveLength(names.length);
  const everywhere = within(dialog).getByRole('region', { name: 'Everywhere' });
  expect(everywhere).toHaveTextContent('CtrlK Search and commands');
  expect(everywhere).toHaveTextContent('? Show the keyboard shortcuts');
});

test('no two shortcuts of a scope have the same keys', () => {
  const keys = names.flatMap((name) => shortcuts[name].keys.map((key) => `${shortcuts[name].place} ${key}`));
  expect(new Set(keys).size).toBe(keys.length);
});

test('shortcuts match their declared keys, with Ctrl or the Mac’s key, never with Alt', () => {
  expect(isShortcut('palette', { ...plain, key: 'K', ctrlKey: true })).toBe(true);
  expect(isShortcut('palette', { ...plain, key: 'k', metaKey: true })).toBe(true);
  expect(isShortcut('palette', { ...plain, key: 'k' })).toBe(false);
  expect(isShortcut('palette', { ...plain, key: 'k', ctrlKey: true, altKey: true })).toBe(false);
  expect(isShortcut('search', { ...plain, key: '/' })).toBe(true);
  expect(isShortcut('help', { ...plain, key: '?', shiftKey: true })).toBe(true);
  expect(isShortcut('stretchSelection', { ...plain, key: 'End', shiftKey: true })).toBe(true);
  expect(isShortcut('stretchSelection', { ...plain, key: 'End' })).toBe(false);
  expect(isShortcut('search', { ...plain, key: '/', ctrlKey: true })).toBe(false);
});

test('shortcuts that are plain characters are ignored in fields, others are not', async () => {
  const help = vi.fn();
  const palette = vi.fn();
  const Page = ({ enabled = true }: { enabled?: boolean }) => {
    useShortcut('help', help, enabled);
    useShortcut('palette', palette, enabled);
    return <input aria-label="Field" />;
  };
  const { rerender } = render(<Page />);
  const user = userEvent.setup();
  await user.keyboard('?');
  expect(help).toHaveBeenCalledOnce();
  await user.type(screen.getByLabelText('Field'), '?{Control>}k{/Control}');
  expect(screen.getByLabelText('Field')).toHaveValue('?');
  expect([help.mock.calls.length, palette.mock.calls.length]).toEqual([1, 1]);
  rerender(<Page enabled={false} />);
  await user.keyboard('{Control>}k{/Control}');
  expect(palette).toHaveBeenCalledOnce();
});
