import type { Pool } from '@simcube/contract/pool';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { poolRow } from '../../../testing/shared-pools.ts';
import { PoolsScreen, poolSearch } from '../index.ts';

const gateway = stubGateway();
const list = 'GET /data-pool/shared_pool/cube/dashboard/pools';

const Screen = () => <PoolsScreen {...useAddress(poolSearch)} />;
const show = (address = '/', pools: Pool[] = [poolRow]) => {
  gateway.respond(list, () => success(pools, { total_count: pools.length }));
  return renderScreen(<Screen />, address);
};
beforeEach(() => signedInAs('admin', { sharedPool: ['7'] }));

test('a pool is listed with the used share of its limit, the remainder and its SIMs, and links to its page', async () => {
  show();
  const name = await screen.findByText('Trucks Europe');
  expect(name.closest('a')).toHaveAttribute('href', '/en-US/shared/7');
  const row = name.closest('tr');
  for (const text of ['80% used', '668 / 835 GB', '167 GB', '275 of 284', 'Stop overage SIMs', 'Manual'])
    expect(row).toHaveTextContent(text);
  expect(screen.getByText('1 pool')).toBeInTheDocument();
});

test('a pool without a limit yet is not shown as full', async () => {
  show('/', [{ ...poolRow, used_bytes: 0, limit_bytes: 0 }]);
  expect((await screen.findByText('Trucks Europe')).closest('tr')).toHaveTextContent('0% used');
});

test('filters in the URL are sent to the server, and invalid ones are left out', async () => {
  show('/?state=over&policy=no+limit&opt_in=nobody&search=truck', []);
  expect(await screen.findByText('No pool matches')).toBeInTheDocument();
  const { query } = gateway.sent.at(-1) ?? {};
  expect(Object.fromEntries(query ?? [])).toMatchObject({
    state: 'over',
    policy: 'no limit',
    search: 'truck',
  });
  expect(query?.has('opt_in')).toBe(false);
});

test('a failure is shown in place and can be retried', async () => {
  const { user } = show();
  gateway.respond(list, () => errorResponse({ http: 400, code: 'CB-99-0500', message: 'It broke.' }));
  expect(await screen.findByText('It broke.')).toBeInTheDocument();
  gateway.respond(list, () => success([poolRow], { total_count: 1 }));
  await user.click(screen.getByText('Try again'));
  await waitFor(() => expect(screen.getByText('Trucks Europe')).toBeInTheDocument());
});
