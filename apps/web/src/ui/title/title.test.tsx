import { render, screen } from '@testing-library/react';
import { Activity } from 'react';
import { expect, test } from 'vitest';
import { Drawer } from '../drawer/index.ts';
import { Page } from '../page/index.ts';
import { useTabTitle, useTitle } from './index.ts';

const Tab = () => <output>{useTabTitle('SIMs').join(' · ')}</output>;
const Organisation = () => {
  useTitle('organisation', 'Acme');
  return null;
};
const tabTitle = () => screen.getByRole('status').textContent;

test('the tab title starts with what is on top: drawer, page, organisation', () => {
  const all = (drawer: string | undefined, page?: string) => (
    <>
      <Tab />
      <Organisation />
      {page ? (
        <Page name={page} title={<b>{page}</b>}>
          …
        </Page>
      ) : null}
      <Drawer onClose={() => undefined} open={drawer !== undefined} title={drawer}>
        …
      </Drawer>
    </>
  );
  const { rerender } = render(all(undefined));
  expect(tabTitle()).toBe('SIMs · Acme');
  rerender(all(undefined, '89860012300004518823'));
  expect(tabTitle()).toBe('89860012300004518823 · Acme');
  rerender(all('Task TK-1', '89860012300004518823'));
  expect(tabTitle()).toBe('Task TK-1 · 89860012300004518823 · Acme');
  rerender(all(undefined));
  expect(tabTitle()).toBe('SIMs · Acme');
});

test('a kept list does not name the tab while another page is shown', () => {
  const kept = (mode: 'visible' | 'hidden') => (
    <>
      <Tab />
      <Activity mode={mode}>
        <Page title="Bundle orders">…</Page>
      </Activity>
    </>
  );
  const { rerender } = render(kept('visible'));
  expect(tabTitle()).toBe('Bundle orders');
  rerender(kept('hidden'));
  expect(tabTitle()).toBe('SIMs');
  rerender(kept('visible'));
  expect(tabTitle()).toBe('Bundle orders');
});
