import type { Preview } from '@simcube/contract/sim';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { refusal, standInGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { showScreen } from '../../../testing/show-screen.tsx';
import { allowedOperations, type Operation, suits } from './operation.ts';
import { useSimOperations } from './use-sim-operations.tsx';

const gateway = standInGateway();
const iccid = '89860012300004518823';
const preview: Preview = {
  selected: 15,
  changing: 12,
  refused: [
    { code: 'CB-01-0015', message: 'Only active SIMs can be suspended', count: 2, iccids: [iccid] },
    { code: 'CB-01-0011', message: 'SIM in process', count: 1, iccids: ['89860012300004518824'] },
  ],
};
const task = { reference_id: 'T00000012', quantity: 12 };
const started = vi.fn();

const Page = ({ name, one }: { name: Operation; one?: boolean }) => {
  const { start, dialog } = useSimOperations(started);
  const target = one ? { selection: { iccids: [iccid] }, iccid } : { selection: { filter: {} } };
  return (
    <>
      <button onClick={() => start(name, target)} type="button">
        {'Begin'}
      </button>
      {dialog}
    </>
  );
};

const begin = async (name: Operation, one = false) => {
  const { user, history } = showScreen(<Page name={name} one={one} />);
  await user.click(await screen.findByRole('button', { name: 'Begin' }));
  return { user, history };
};
const orders = (path: string) =>
  gateway.sent
    .filter((request) => request.path === path)
    .map(({ body }) => body as Record<string, unknown>)
    .filter((body) => body['preview'] !== true);

beforeEach(() => {
  signedInAs('admin');
  started.mockClear();
});

test('who may do what, by role', () => {
  signedInAs('user');
  expect(allowedOperations()).toEqual(['export']);
  signedInAs('operator');
  expect(allowedOperations()).toEqual(['suspend', 'resume', 'reset', 'export']);
  signedInAs('admin');
  expect(allowedOperations()).toContain('transfer');
  expect(suits('activate', 'pre-activated')).toBe(true);
  expect(suits('suspend', 'paused')).toBe(false);
  expect(suits('tags', 'terminated')).toBe(false);
  expect(suits('terminate', 'expired')).toBe(true);
  expect(suits('terminate', 'terminated')).toBe(false);
});

describe('an operation', () => {
  test('says what will happen and who is refused why, then gives its reference', async () => {
    gateway.answer('POST /cube/sim/suspend', ({ body }) =>
      success((body as { preview: boolean }).preview ? { preview, task: null } : { preview: null, task }),
    );
    const { user, history } = await begin('suspend');
    expect(await screen.findByText('12 SIMs will be suspended.')).toBeInTheDocument();
    expect(screen.getByText('3 are refused:')).toBeInTheDocument();
    expect(screen.getByText(/Only active SIMs can be suspended/)).toBeInTheDocument();
    expect(screen.getByText(iccid)).toBeInTheDocument();
    expect(orders('/cube/sim/suspend')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Suspend 12 SIMs' }));
    expect(await screen.findByText('T00000012')).toBeInTheDocument();
    expect(orders('/cube/sim/suspend')).toEqual([{ selection: { filter: {} } }]);
    expect(started).toHaveBeenCalledOnce();
    await user.click(screen.getByRole('link', { name: 'Open the task centre' }));
    expect(history.location.pathname).toBe('/en-US/taskcenter');
  });

  test('can not be ordered when none would change', async () => {
    gateway.answer('POST /cube/sim/resume', () =>
      success({ preview: { ...preview, changing: 0 }, task: null }),
    );
    await begin('resume');
    expect(await screen.findByText('None of these SIMs would change.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Resume' })).toBeDisabled();
  });

  test('says in its dialog what the server has against it', async () => {
    const message = 'Exceeding maximum SIMs allowed (max: 1000)!';
    gateway.answer('POST /cube/sim/preActiveValidated', () =>
      refusal({ http: 400, code: 'CB-01-0002', message }),
    );
    await begin('activate');
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Activate' })).toBeDisabled();
  });

  test('keeps the dialog when the order itself is refused', async () => {
    gateway.answer('POST /cube/device/reset', ({ body }) =>
      (body as { preview: boolean }).preview
        ? success({ preview, task: null })
        : refusal({ http: 409, code: 'CB-01-0005', message: 'The last request is in progress' }),
    );
    const { user } = await begin('reset');
    await user.click(await screen.findByRole('button', { name: 'Reset 12 SIMs' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The last request is in progress');
    expect(started).not.toHaveBeenCalled();
  });

  test.each([
    ['how many there are', false, 'number of SIMs: 12', '12'],
    ['the end of the ICCID', true, 'last six digits of the ICCID: 518823', '518823'],
  ])('that is final wants %s typed first', async (_, one, asked, word) => {
    gateway.answer('POST /cube/sim/terminate', ({ body }) =>
      success((body as { preview: boolean }).preview ? { preview, task: null } : { preview: null, task }),
    );
    const { user } = await begin('terminate', one);
    const field = await screen.findByLabelText(new RegExp(asked));
    const button = screen.getByRole('button', { name: 'Terminate 12 SIMs' });
    expect(button).toBeDisabled();
    await user.type(field, `${word.slice(0, -1)}{Enter}`);
    expect(button).toBeDisabled();
    expect(orders('/cube/sim/terminate')).toEqual([]);
    await user.type(field, `${word.slice(-1)}{Enter}`);
    expect(await screen.findByText('T00000012')).toBeInTheDocument();
    expect(orders('/cube/sim/terminate')).toHaveLength(1);
  });

  test('starts a name with what the one SIM has, and clears it when left empty', async () => {
    gateway.answer('GET /cube/sim/basic', () =>
      success({ iccid, device_name: 'Truck 1', notes: null, tags: ['fleet'] }),
    );
    gateway.answer('POST /cube/sim/deviceName', ({ body }) =>
      success(
        (body as { preview: boolean }).preview
          ? { preview: { selected: 1, changing: 1, refused: [] }, task: null }
          : { preview: null, task: { ...task, quantity: 1 } },
      ),
    );
    const { user } = await begin('deviceName', true);
    const field = await screen.findByLabelText('Device name');
    await waitFor(() => expect(field).toHaveValue('Truck 1'));
    await user.clear(field);
    await user.click(await screen.findByRole('button', { name: 'Name 1 SIM' }));
    await screen.findByText('T00000012');
    expect(orders('/cube/sim/deviceName')).toEqual([{ selection: { iccids: [iccid] }, device_name: null }]);
  });

  test('takes tags of at most ten characters and asks again what would happen', async () => {
    gateway.answer('POST /cube/device/tag', () => success([{ tag: 'fleet', sims: 40 }]));
    gateway.answer('POST /cube/device/saveTag', () => success({ preview, task: null }));
    const { user } = await begin('tags');
    const add = await screen.findByLabelText('Add tags');
    await user.click(add);
    await user.type(add, 'far-too-long-a-tag,', { skipClick: true });
    expect(await screen.findByText(/is longer than 10 characters/)).toBeInTheDocument();
    await user.type(add, 'meter,', { skipClick: true });
    expect(await screen.findByText('Tags of 12 SIMs will change.')).toBeInTheDocument();
    expect(gateway.sent.findLast(({ path }) => path === '/cube/device/saveTag')?.body).toMatchObject({
      preview: true,
      add: ['meter'],
      remove: [],
    });
  });

  test('exports in the chosen format', async () => {
    gateway.answer('POST /cube/sim/list/export/task', () => success(task));
    const { user } = await begin('export');
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByText('XLSX'));
    await user.click(within(dialog).getByRole('button', { name: 'Export' }));
    expect(await screen.findByText('T00000012')).toBeInTheDocument();
    expect(orders('/cube/sim/list/export/task')).toEqual([{ selection: { filter: {} }, format: 'xlsx' }]);
  });
});
