import { act, screen, waitFor } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import { type ReactNode, useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { narrow } from '../media/index.ts';
import { SidePanelLayout } from './index.ts';

/** A window whose width can be changed while it is open. */
const windowOf = (wide: { is: boolean }) => {
  const changes = new Set<() => void>();
  const { matchMedia } = window;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const media = matchMedia(query);
    if (query !== narrow) return media;
    return {
      ...media,
      matches: !wide.is,
      addEventListener: (_: string, changed: unknown) => void changes.add(changed as () => void),
      removeEventListener: (_: string, changed: unknown) => void changes.delete(changed as () => void),
    };
  });
  return {
    resize: (isWide: boolean): void => {
      wide.is = isWide;
      act(() => {
        for (const changed of changes) changed();
      });
    },
  };
};

afterEach(() => vi.restoreAllMocks());

test.each([true, false])(
  'input survives a window that becomes wide or narrow (wide at first: %s)',
  async (isWide) => {
    const { resize } = windowOf({ is: isWide });
    const { user } = renderScreen(
      <SidePanelLayout
        label="One message"
        onClose={() => undefined}
        panel={() => <input aria-label="Reply" />}
      >
        <input aria-label="Address" />
      </SidePanelLayout>,
    );
    const written = { Reply: 'On my way', Address: 'https://' };
    for (const [name, text] of Object.entries(written)) {
      const field = await screen.findByRole('textbox', { name, hidden: true });
      await user.type(field, text);
    }
    for (const next of [!isWide, isWide]) {
      resize(next);
      expect(screen.queryByRole(next ? 'complementary' : 'dialog', { name: 'One message' })).toBeVisible();
      for (const [name, text] of Object.entries(written))
        expect(screen.getByRole('textbox', { name, hidden: true })).toHaveValue(text);
    }
  },
);

/** `slides`: closing never finishes, as jsdom ends no transition. */
const Message = ({ slides }: { slides: boolean }) => {
  const [open, setOpen] = useState(false);
  return (
    <ConfigProvider theme={{ token: { motion: slides && !open } }}>
      <SidePanelLayout
        label="One message"
        onClose={() => setOpen(false)}
        panel={open ? () => <p>Its text</p> : undefined}
      >
        <button onClick={() => setOpen(!open)} type="button">
          Open or close it
        </button>
      </SidePanelLayout>
    </ConfigProvider>
  );
};

test('a panel over the page keeps its content while it closes', async () => {
  windowOf({ is: false });
  const { user } = renderScreen(<Message slides />);
  await user.click(await screen.findByRole('button', { name: 'Open or close it' }));
  expect(await screen.findByText('Its text')).toBeInTheDocument();
  await user.keyboard('{Escape}');
  expect(screen.getByText('Its text')).toBeInTheDocument();
});

test.each([true, false])('a closed panel disappears (wide: %s)', async (isWide) => {
  windowOf({ is: isWide });
  const { user } = renderScreen(<Message slides={false} />);
  await user.click(await screen.findByRole('button', { name: 'Open or close it' }));
  expect(await screen.findByText('Its text')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Open or close it', hidden: true }));
  await waitFor(() => expect(screen.queryByText('Its text')).not.toBeInTheDocument());
});

test('closing a panel next to the page restores the focus to what opened it', async () => {
  windowOf({ is: true });
  const Bill = () => {
    const [open, setOpen] = useState(false);
    const close = (): void => setOpen(false);
    return (
      <SidePanelLayout
        label="One line"
        onClose={close}
        panel={
          open
            ? () => (
                <button onClick={close} type="button">
                  Close
                </button>
              )
            : undefined
        }
      >
        <button onClick={() => setOpen(true)} type="button">
          Line
        </button>
      </SidePanelLayout>
    );
  };
  const { user } = renderScreen(<Bill />);
  await user.click(await screen.findByRole('button', { name: 'Line' }));
  await user.tab();
  expect(screen.getByRole('button', { name: 'Close' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('button', { name: 'Line' })).toHaveFocus();
});

describe('Escape', () => {
  const onClose = vi.fn();
  const show = async (over?: ReactNode) => {
    windowOf({ is: true });
    onClose.mockClear();
    const { user } = renderScreen(
      <>
        <SidePanelLayout label="One message" onClose={onClose} panel={() => <input aria-label="Reply" />}>
          <input aria-label="Search" />
          <button type="button">Row</button>
        </SidePanelLayout>
        {over}
      </>,
    );
    await screen.findByRole('textbox', { name: 'Reply' });
    return user;
  };

  test.each([
    { from: 'textbox', name: 'Reply' },
    { from: 'button', name: 'Row' },
  ])('closes a panel next to the page from $name', async ({ from, name }) => {
    const user = await show();
    await user.click(screen.getByRole(from, { name }));
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('in a field of the page does not close the panel', async () => {
    const user = await show();
    await user.click(screen.getByRole('textbox', { name: 'Search' }));
    await user.keyboard('{Escape}');
    expect(onClose).not.toHaveBeenCalled();
  });

  test('does not close the panel behind a dialog', async () => {
    const user = await show(<div aria-label="Discard?" role="dialog" />);
    await user.click(screen.getByRole('textbox', { name: 'Reply' }));
    await user.keyboard('{Escape}');
    expect(onClose).not.toHaveBeenCalled();
  });
});
