import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import type { SimSearch } from '../search.ts';
import { LifecycleCounts } from './lifecycle-counts.tsx';

const gateway = stubGateway();
const counts = 'POST /cube/sim/list/counts';
const searchTrucks = 'Search trucks';
const lifecycle = { 'pre-activated': 0, active: 1200, paused: 7, expired: 0, terminated: 0 };

const Screen = ({ initial }: { initial: SimSearch }) => {
  const [search, setSearch] = useState(initial);
  return (
    <>
      <LifecycleCounts
        enabled
        onChange={(value) => setSearch({ ...search, lifecycle: value })}
        search={search}
      />
      <button onClick={() => setSearch({ ...search, search: 'truck' })} type="button">
        {searchTrucks}
      </button>
    </>
  );
};
const show = (initial: SimSearch = {}) => renderScreen(<Screen initial={initial} />);
const sentBodies = () => gateway.sent.map(({ body }) => body);
const shown = () =>
  screen
    .getAllByRole('button', { pressed: false })
    .flatMap(({ textContent }) => (textContent === searchTrucks ? [] : [textContent]));

beforeEach(() => signedInAs('admin'));

test('follow the search and the other filters, whichever status is shown', async () => {
  gateway.respond(counts, ({ body }) =>
    success(
      (body as SimSearch).search
        ? { total: 3, relation: 'eq', lifecycle: { ...lifecycle, active: 2, paused: 1 } }
        : { total: 1207, relation: 'eq', lifecycle },
    ),
  );
  const { user } = show({ connection: ['online'] });
  await user.click(await screen.findByRole('button', { name: 'Paused 7' }));
  expect(sentBodies()).toEqual([{ connection: ['online'] }]);
  await user.click(screen.getByText(searchTrucks));
  expect(await screen.findByRole('button', { name: 'All 3' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Paused 1', pressed: true })).toBeInTheDocument();
  expect(sentBodies()).toEqual([{ connection: ['online'] }, { connection: ['online'], search: 'truck' }]);
});

test('show where the server stopped counting, and no count for a status without matches', async () => {
  gateway.respond(counts, () => success({ total: 1000, relation: 'gte', lifecycle }));
  show({ search: 'me' });
  expect(await screen.findByRole('button', { name: 'Active 1,200+' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Expired' })).toBeInTheDocument();
});

test('remain filters where they can’t be counted', async () => {
  gateway.respond(counts, () => errorResponse({ http: 500, code: 'CB-99-9500', message: 'It broke' }));
  show();
  await waitFor(() =>
    expect(shown()).toEqual(['Pre-activated ', 'Active ', 'Paused ', 'Expired ', 'Terminated ']),
  );
});
