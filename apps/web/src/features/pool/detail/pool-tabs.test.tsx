import type { PoolMember } from '@simcube/contract/pool';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { GB, poolDetail } from '../../../testing/shared-pools.ts';
import { PoolScreen, poolPageSearch } from '../screens.ts';

const gateway = stubGateway();
const base = '/data-pool/shared_pool/cube';
const iccid = '89340700000023588206';
const other = '89340700000023588207';
const member: PoolMember = {
  iccid,
  device_name: 'Truck 5820',
  lifecycle: 'active',
  enrolled_at: '2026-10-01T00:00:00.000Z',
  activated_at: '2026-10-01T00:00:00.000Z',
  used_bytes: 7 * GB,
  own_bytes: 3 * GB,
  above_bytes: 4 * GB,
  stopped: true,
  cost: null,
};
const event = {
  id: '31',
  pool: { id: '7', name: 'Trucks Europe' },
  at: '2026-11-12T08:25:00.000Z',
  kind: 'SIM exit',
  limit_before_bytes: 815 * GB,
  limit_after_bytes: 815 * GB,
  used_bytes: 300 * GB,
  sims: 2,
  by: null,
  task: null,
};

const Screen = () => <PoolScreen poolId="7" {...useAddress(poolPageSearch)} />;
const show = (address: string, detail = poolDetail, members = 1) => {
  gateway.respond(`GET ${base}/pools/7/detail`, () => success(detail));
  gateway.respond(`GET ${base}/pools/7/settings`, () => success({ pool: detail, terms: [] }));
  gateway.respond(`GET ${base}/dashboard/7/sims`, () => success([member], { total_count: members }));
  gateway.respond(`GET ${base}/events`, () => success([event], { total_count: 1 }));
  return renderScreen(<Screen />, address);
};
/** Calls that would change something, and their previews. */
const membershipRequests = (name: string) =>
  gateway.sent.filter(
    ({ path, body }) => path.endsWith(`/${name}`) && !(body as { preview: boolean }).preview,
  );
const acceptMembership = (name: 'enrol' | 'exit') =>
  gateway.respond(`POST ${base}/pool/7/${name}`, ({ body }) => {
    const { preview } = body as { preview: boolean };
    return success(
      preview
        ? {
            preview: {
              selected: 2,
              changing: 1,
              digest: 'd',
              refused: [{ code: 'CB-03-0005', message: 'It has another bundle', count: 1, iccids: [other] }],
            },
            task: null,
          }
        : { preview: null, task: { reference_id: 'T202611220001', quantity: 1 } },
    );
  });
beforeEach(() => signedInAs('admin', { sharedPool: ['7'] }));

test('SIMs are listed with their own share, usage above it and whether they are stopped', async () => {
  show('/?tab=sims');
  const row = (await screen.findByText('Truck 5820')).closest('tr');
  for (const text of ['Stopped', 'Active', '7 GB', '3 GB', '4 GB']) expect(row).toHaveTextContent(text);
  expect(
    within(row as HTMLElement).getByLabelText('3 GB of its own share, 4 GB above it'),
  ).toBeInTheDocument();
});

test('usage of former members is shown above the rows, so that both add up to the pool', async () => {
  show('/?tab=sims', { ...poolDetail, former_members_bytes: 2 * GB });
  expect(await screen.findByText(/SIMs that left used 2 GB/)).toBeInTheDocument();
});

test('selected SIMs are removed after a preview of how many leave the pool', async () => {
  acceptMembership('exit');
  const { user } = show('/?tab=sims');
  await screen.findByText('Truck 5820');
  await user.click(screen.getByLabelText(`Select ${iccid}`));
  await user.click(within(screen.getByRole('toolbar')).getByText('Take out…'));
  expect(await screen.findByText(/stays in the pool until the cycle ends/)).toBeInTheDocument();
  await user.click(await screen.findByText('Take 1 SIM out'));
  await waitFor(() => expect(membershipRequests('exit')).toHaveLength(1));
  expect(membershipRequests('exit')[0]?.body).toEqual({ selection: { iccids: [iccid] }, preview: false });
});

test('the removal of all matching SIMs is not offered for a selection that was changed meanwhile', async () => {
  acceptMembership('exit');
  const { user } = show('/?tab=sims', poolDetail, 30);
  await screen.findByText('Truck 5820');
  const selected = screen.getByLabelText(`Select ${iccid}`);
  await user.click(selected);
  let answer = (): void => undefined;
  gateway.respond(
    `GET ${base}/dashboard/7/sims`,
    () => new Promise((resolve) => (answer = () => resolve(success([member], { total_count: 1 })))),
  );
  await user.click(within(screen.getByRole('toolbar')).getByText('select all 30 that match'));
  const takeOut = () => within(screen.getByRole('toolbar')).getByRole('button', { name: /Take out…$/ });
  await user.click(takeOut());
  expect(takeOut()).toHaveAttribute('aria-busy', 'true');
  await user.click(selected);
  await act(async () => answer());
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('SIMs are enrolled by a pasted list; unknown and refused ones are listed', async () => {
  acceptMembership('enrol');
  const { user } = show('/?tab=settings');
  await user.click(await screen.findByText('Enrol SIMs…'));
  const field = await screen.findByLabelText('ICCIDs, IMSIs or MSISDNs, up to 10,000');
  gateway.respond('POST /cube/sim/list/identifiers', () =>
    success({ iccids: [iccid, other], not_found: ['12345'], duplicates: [] }),
  );
  fireEvent.change(field, { target: { value: `${iccid}; ${other}\n12345` } });
  expect(screen.getByText('3 entered')).toBeInTheDocument();
  await user.click(screen.getByText('Find these SIMs'));
  expect(await screen.findByText('1 is not a SIM of this organisation')).toBeInTheDocument();
  expect(await screen.findByText('1 SIM will join the pool.')).toBeInTheDocument();
  expect(screen.getByText('It has another bundle')).toBeInTheDocument();
  await user.click(screen.getByText('Enrol 1 SIM'));
  await waitFor(() => expect(membershipRequests('enrol')).toHaveLength(1));
  expect(membershipRequests('enrol')[0]?.body).toMatchObject({ selection: { iccids: [iccid, other] } });
});

test('all SIMs with the pool’s bundle are enrolled by filter, and a refusal is shown in the dialog', async () => {
  acceptMembership('enrol');
  const { user } = show('/?tab=settings');
  await user.click(await screen.findByText('Enrol SIMs…'));
  await user.click(await screen.findByText('By filter'));
  const button = await screen.findByText('Enrol 1 SIM');
  gateway.respond(`POST ${base}/pool/7/enrol`, () =>
    errorResponse({ http: 409, code: 'CB-03-0004', message: 'SIMs join this pool automatically' }),
  );
  await user.click(button);
  expect(await screen.findByText('SIMs join this pool automatically')).toBeInTheDocument();
  expect(gateway.sent.at(-1)?.body).toMatchObject({ selection: { filter: { bundle: ['EU3GS'] } } });
});

test('enrolment and exit are not offered without the permission, or for an automatic pool', async () => {
  show('/?tab=sims', { ...poolDetail, opt_in: 'automatic' });
  await screen.findByText('Truck 5820');
  expect(screen.getByText('Rename')).toBeInTheDocument();
  for (const action of ['Enrol SIMs…', 'Take out…']) expect(screen.queryByText(action)).toBeNull();
  expect(screen.queryByLabelText(`Select ${iccid}`)).toBeNull();
});

test('a reader sees name, ID and rules, and changes nothing', async () => {
  signedInAs('user', { permissionsInfo: { user: { 'shared-pool-cube': ['read'] } } });
  const { user } = show('/?tab=settings');
  const chosen = (await screen.findByText('Stop overage SIMs')).closest('li');
  await waitFor(() => expect(chosen).toHaveAttribute('aria-current', 'true'));
  expect(screen.getByText(/These rules are set by your operator/)).toBeInTheDocument();
  expect(screen.queryByLabelText('Pool')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Copy Pool ID' }));
  expect(await navigator.clipboard.readText()).toBe('7');
  for (const action of ['Rename', 'Enrol SIMs…', 'Export SIMs'])
    expect(screen.queryByText(action)).toBeNull();
});

test('a pool is renamed, and a taken name is reported at the field', async () => {
  const { user } = show('/?tab=settings');
  const field = await screen.findByLabelText('Pool');
  gateway.respond(`PUT ${base}/pool/7/name`, () =>
    errorResponse({ http: 409, code: 'CB-03-0002', message: 'This name is taken' }),
  );
  fireEvent.change(field, { target: { value: 'Vans' } });
  const save = within(field.closest('form') as HTMLElement).getByText('Rename');
  await user.click(save);
  expect(await screen.findByText('This name is taken')).toBeInTheDocument();
  gateway.respond(`PUT ${base}/pool/7/name`, () => success({ id: '7', name: 'Vans' }));
  await user.click(save);
  await waitFor(() => expect(gateway.sent.at(-1)?.method).toBe('GET'));
  expect(gateway.sent.findLast(({ method }) => method === 'PUT')?.body).toEqual({ name: 'Vans' });
});

test('an event opens with its reason and its SIMs', async () => {
  gateway.respond(`GET ${base}/events/31/detail`, () =>
    success({ ...event, facts: { reason: 'terminated', iccids: [iccid] } }),
  );
  const { user, history } = show('/?tab=events');
  await user.click(await screen.findByText('SIM exit'));
  await waitFor(() => expect(history.location.href).toContain('event=31'));
  expect(await screen.findByText('The SIMs were terminated')).toBeInTheDocument();
  expect(screen.getByText('and 1 more')).toBeInTheDocument();
});
