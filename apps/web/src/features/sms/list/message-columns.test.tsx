import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { useMessageColumns } from './message-columns.tsx';

/** The widths that the table's font needs, with the padding of the cell. */
const needed = {
  time: ['11月30日, 23:04', 121],
  sim: ['Kiosk Toulouse 4 and an ICCID', 276],
  direction: ['Programado', 100],
} as const;

/** The content of the page on a screen of 1440 pixels, beside the menu and a conversation. */
const available = 790;

test('next to an open conversation, times, SIMs and types are shown in full', async () => {
  const Widths = () => {
    const columns = useMessageColumns().filter(({ initiallyHidden }) => !initiallyHidden);
    const sum = columns.reduce((total, { width }) => total + width, 0);
    const cut = Object.entries(needed).filter(
      ([id, [, width]]) => (columns.find((column) => column.id === id)?.width ?? 0) < width,
    );
    return <p role="status">{sum > available ? 'too wide' : cut.map(([, [text]]) => text).join()}</p>;
  };
  renderScreen(<Widths />);
  expect(await screen.findByRole('status')).toHaveTextContent(/^$/);
});
