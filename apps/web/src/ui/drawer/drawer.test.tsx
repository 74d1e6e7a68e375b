import { fireEvent, screen } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { Drawer } from './index.ts';

/** `slides`: closing never finishes, as jsdom ends no transition. */
const Rows = ({ slides }: { slides: boolean }) => {
  const [row, setRow] = useState<string>();
  return (
    <ConfigProvider theme={{ token: { motion: slides && row === undefined } }}>
      {['first', 'second'].map((name) => (
        <button key={name} onClick={() => setRow(name)} type="button">
          {name}
        </button>
      ))}
      <Drawer onClose={() => setRow(undefined)} open={row !== undefined} title={row ? `Row: ${row}` : ''}>
        {row ? <p>All of the {row} row</p> : null}
      </Drawer>
    </ConfigProvider>
  );
};

test('a drawer keeps its content while it closes, and shows what is opened next', async () => {
  const { user } = renderScreen(<Rows slides />);
  await user.click(await screen.findByRole('button', { name: 'first' }));
  expect(await screen.findByText('All of the first row')).toBeInTheDocument();
  await user.keyboard('{Escape}');
  expect(screen.getByText('All of the first row')).toBeInTheDocument();
  expect(screen.getByText('Row: first')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'second' }));
  expect(screen.getByText('All of the second row')).toBeInTheDocument();
  expect(screen.getByText('Row: second')).toBeInTheDocument();
});

test('a drawer that is closed shows nothing', async () => {
  const { user } = renderScreen(<Rows slides={false} />);
  await user.click(await screen.findByRole('button', { name: 'first' }));
  await user.keyboard('{Escape}');
  expect(screen.queryByText('All of the first row')).not.toBeInTheDocument();
});

test('the second click of a double click on what opens a drawer does not close it', async () => {
  renderScreen(<Rows slides={false} />);
  fireEvent.click(await screen.findByRole('button', { name: 'first' }), { detail: 1 });
  await screen.findByText('All of the first row');
  const outside = document.querySelector('.ant-drawer-mask') as Element;
  fireEvent.click(outside, { detail: 2 });
  expect(screen.getByText('All of the first row')).toBeInTheDocument();
  fireEvent.click(outside, { detail: 1 });
  expect(screen.queryByText('All of the first row')).not.toBeInTheDocument();
});
