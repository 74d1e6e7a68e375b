import { endpoints } from '@simcube/contract';
import type { DataRestriction, Lifecycle, Preview } from '@simcube/contract/sim';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { unfollowTask, useFollowedTasks } from '../../../lib/followed-tasks/index.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { allowedOperations, appliesTo, type Operation } from './operation.ts';
import { useSimOperations } from './use-sim-operations.tsx';

const gateway = stubGateway();
const iccid = '89860012300004518823';
const preview: Preview = {
  selected: 15,
  changing: 12,
  digest: 'd',
  refused: [
    { code: 'CB-01-0015', message: 'Only active SIMs can be suspended.', count: 2, iccids: [iccid] },
    { code: 'CB-01-0011', message: 'SIM in process', count: 1, iccids: ['89860012300004518824'] },
  ],
};
const task = { reference_id: 'T00000012', quantity: 12 };
const started = vi.fn();
const shown = vi.fn();

let queries: QueryClient;

const Page = ({ name, one, all }: { name: Operation; one?: boolean; all?: string }) => {
  const { start, dialog } = useSimOperations(started);
  queries = useQueryClient();
  const target = one
    ? { selection: { iccids: [iccid] }, iccid }
    : { selection: { filter: {} }, ...(all === undefined ? {} : { all, onShow: shown }) };
  return (
    <>
      <button onClick={() => start(name, target)} type="button">
        {'Begin'}
      </button>
      {dialog}
      {useFollowedTasks().map(({ reference_id }) => (
        <p key={reference_id}>{reference_id}</p>
      ))}
    </>
  );
};

const openDialog = async (name: Operation, one = false) => {
  const { user } = renderScreen(<Page name={name} one={one} />);
  await user.click(await screen.findByRole('button', { name: 'Begin' }));
  return { user };
};
const rowTexts = async () => {
  const rows = await within(await screen.findByRole('table')).findAllByRole('row');
  return rows.map((row) => [...row.children].map((cell) => cell.textContent).join(' '));
};
const orders = (path: string) =>
  gateway.sent
    .filter((request) => request.path === path)
    .map(({ body }) => body as Record<string, unknown>)
    .filter((body) => body['preview'] !== true);

beforeEach(() => {
  signedInAs('admin');
  started.mockClear();
  shown.mockClear();
  unfollowTask(task.reference_id);
});

test('the allowed operations, by role', () => {
  signedInAs('user');
  expect(allowedOperations()).toEqual(['export']);
  signedInAs('operator');
  expect(allowedOperations()).toEqual([
    'suspend',
    'resume',
    'reset',
    'export',
    'sendSms',
    'suspendMt',
    'resumeMt',
  ]);
  signedInAs('admin');
  expect(allowedOperations()).toContain('transfer');
  expect(appliesTo('activate', { lifecycle: 'pre-activated' })).toBe(true);
  expect(appliesTo('suspend', { lifecycle: 'paused' })).toBe(false);
  expect(appliesTo('tags', { lifecycle: 'terminated' })).toBe(false);
  expect(appliesTo('suspendMt', { lifecycle: 'active', sms_suspended: true })).toBe(false);
  expect(appliesTo('resumeMt', { lifecycle: 'active', sms_suspended: false })).toBe(false);
  expect(appliesTo('renew', { lifecycle: 'expired' })).toBe(true);
  expect(appliesTo('renew', { lifecycle: 'pre-activated' })).toBe(false);
  expect(appliesTo('topUp', { lifecycle: 'expired' })).toBe(false);
  expect(appliesTo('changeBundle', { lifecycle: 'paused' })).toBe(true);
  expect(appliesTo('terminate', { lifecycle: 'pre-activated' })).toBe(true);
  expect(appliesTo('terminate', { lifecycle: 'expired' })).toBe(false);
  expect(appliesTo('terminate', { lifecycle: 'terminated' })).toBe(false);
});

test('SIMs can be resumed if they are paused or a rule restricts their data', () => {
  const restricted = (by: DataRestriction, lifecycle: Lifecycle = 'active') =>
    appliesTo('resume', {
      lifecycle,
      data: { state: 'stopped', kbps: null, restrictions: [{ by, kbps: null, until: null }] },
    });
  expect(restricted('rule')).toBe(true);
  expect(restricted('rule', 'pre-activated')).toBe(true);
  expect(restricted('rule', 'expired')).toBe(false);
  expect(restricted('pool')).toBe(false);
  expect(restricted('quota')).toBe(false);
  expect(restricted('quota', 'paused')).toBe(true);
});

describe('an operation', () => {
  test('shows a preview with refusals and their reasons, then closes its dialog and is followed', async () => {
    gateway.respond('POST /cube/sim/suspend', ({ body }) =>
      success((body as { preview: boolean }).preview ? { preview, task: null } : { preview: null, task }),
    );
    const { user } = await openDialog('suspend');
    expect(await screen.findByText('12 SIMs will be suspended.')).toBeInTheDocument();
    expect(screen.getByText('3 are refused:')).toBeInTheDocument();
    expect(screen.getByText(/Only active SIMs can be suspended/)).toBeInTheDocument();
    expect(screen.getByText(iccid)).toBeInTheDocument();
    expect(orders('/cube/sim/suspend')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Suspend 12 SIMs' }));
    expect(await screen.findByText('T00000012')).toBeInTheDocument();
    expect(orders('/cube/sim/suspend')).toEqual([{ selection: { filter: {} } }]);
    expect(started).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('can not be submitted when no SIM would change', async () => {
    gateway.respond('POST /cube/sim/resume', () =>
      success({ preview: { ...preview, changing: 0 }, task: null }),
    );
    await openDialog('resume');
    expect(await screen.findByText('None of these SIMs would change.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Resume' })).toBeDisabled();
  });

  test('shows the server’s error in its dialog', async () => {
    const message = 'Exceeding maximum SIMs allowed (max: 1000)!';
    gateway.respond('POST /cube/sim/preActiveValidated', () =>
      errorResponse({ http: 400, code: 'CB-01-0002', message }),
    );
    await openDialog('activate');
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Activate' })).toBeDisabled();
  });

  test('is previewed automatically when the network is back', async () => {
    await openDialog('suspend');
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Suspend' })).toBeDisabled();
    gateway.respond('POST /cube/sim/suspend', () => success({ preview, task: null }));
    expect(await screen.findByRole('button', { name: 'Suspend 12 SIMs' }, { timeout: 5000 })).toBeEnabled();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  test('keeps the dialog when the order itself is refused', async () => {
    gateway.respond('POST /cube/device/reset', ({ body }) =>
      (body as { preview: boolean }).preview
        ? success({ preview, task: null })
        : errorResponse({ http: 409, code: 'CB-01-0005', message: 'The last request is in progress' }),
    );
    const { user } = await openDialog('reset');
    await user.click(await screen.findByRole('button', { name: 'Reset 12 SIMs' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The last request is in progress');
    expect(started).not.toHaveBeenCalled();
  });

  test.each([
    ['how many there are', false, 'number of SIMs: 12', '12'],
    ['the end of the ICCID', true, 'last six digits of the ICCID: 518823', '518823'],
  ])('that is irreversible requires typing %s', async (_, one, prompt, word) => {
    gateway.respond('POST /cube/sim/terminate', ({ body }) =>
      success((body as { preview: boolean }).preview ? { preview, task: null } : { preview: null, task }),
    );
    const { user } = await openDialog('terminate', one);
    const field = await screen.findByLabelText(new RegExp(prompt));
    const button = screen.getByRole('button', { name: 'Terminate 12 SIMs' });
    expect(button).toBeDisabled();
    await user.type(field, `${word.slice(0, -1)}{Enter}`);
    expect(button).toBeDisabled();
    expect(orders('/cube/sim/terminate')).toEqual([]);
    await user.type(field, `${word.slice(-1)}{Enter}`);
    expect(await screen.findByText('T00000012')).toBeInTheDocument();
    expect(orders('/cube/sim/terminate')).toEqual([expect.objectContaining({ preview_digest: 'd' })]);
  });

  test('chooses a bundle from the catalogue, and shows what is ordered and what happens to the current one', async () => {
    const named = (code: string) => ({ code, name: `${code} name` });
    const line = { bundle: named('B60'), current: named('B30'), orders: 12 };
    const ends = { current_ends_first: '2026-12-03T10:00:00Z', current_ends_last: '2026-12-20T10:00:00Z' };
    const price = { currency: 'EUR', activation_micros: 1_000_000, cycle_micros: 4_990_000 };
    gateway.respond('GET /cube/sim/bundle/catalogue', () =>
      success([
        { ...named('B60'), type: 'prepaid basic', quota_bytes: 5, reset_cycle: 'day', duration_days: 60 },
      ]),
    );
    gateway.respond('POST /cube/sim/changeBundle', ({ body }) => {
      const { preview: isPreview, when } = body as { preview: boolean; when: string };
      if (!isPreview) return success({ preview: null, task });
      const at_once = when === 'now' ? 12 : 0;
      return success({ preview: { ...preview, lines: [{ ...line, ...ends, at_once, price }] }, task: null });
    });
    const { user } = await openDialog('changeBundle');
    expect(await screen.findByText('Choose a bundle first.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Change bundle' })).toBeDisabled();
    await user.click(screen.getByLabelText('Bundle'));
    await user.click(
      await screen.findByText('B60 name (B60)', { selector: '.ant-select-item-option-content' }),
    );
    expect(await screen.findByText('12 × B60 name')).toBeInTheDocument();
    expect(screen.getByText(/12 start when B30 name ends: .*3.* – .*20/)).toBeInTheDocument();
    const costs = /Each costs €1.00 once and €4.99 for every cycle that begins./;
    expect(screen.getByText(costs)).toHaveTextContent('Today’s prices');
    await user.click(screen.getByText('Immediately'));
    expect(await screen.findByText(/B30 name ends immediately instead of/)).toBeInTheDocument();
    expect(screen.getByText(costs)).not.toHaveTextContent('Today’s prices');
    await user.click(screen.getByRole('button', { name: 'Change bundle of 12 SIMs' }));
    expect(await screen.findByText('T00000012')).toBeInTheDocument();
    expect(orders('/cube/sim/changeBundle')).toEqual([
      { selection: { filter: {} }, bundle_code: 'B60', when: 'now', preview_digest: 'd' },
    ]);
  });

  test('that activates shows which bundles start, on how many SIMs and at what price', async () => {
    const price = { currency: 'EUR', activation_micros: 500_000, cycle_micros: 900_000 };
    const activations = [
      { bundle: { code: 'B1', name: 'EU 50 MB' }, orders: 8, price },
      { bundle: { code: 'B2', name: 'City 10 MB' }, orders: 4, price: null },
    ];
    gateway.respond('POST /cube/sim/preActiveValidated', () => success({ ...preview, activations }));
    await openDialog('activate');
    expect(await rowTexts()).toEqual([
      'Bundle Once Per cycle',
      '8 × EU 50 MB €4.00€0.50 each €7.20€0.90 each',
      '4 × City 10 MB — —',
    ]);
  });

  test('renews the bundles of SIMs, immediately where they have expired', async () => {
    const bundle = { code: 'B30', name: 'EU 5 GB' };
    const end = '2026-12-03T10:00:00Z';
    const line = { bundle, current: bundle, orders: 12, at_once: 2 };
    const lines = [{ ...line, current_ends_first: end, current_ends_last: end, price: null }];
    const shown = (digest: string, more: object[]) =>
      success({ preview: { ...preview, digest, lines: more }, task: null });
    gateway.respond('POST /cube/sim/renew', () => shown('a', lines));
    const { user } = await openDialog('renew');
    expect(await screen.findByText('12 × EU 5 GB')).toBeInTheDocument();
    expect(screen.getByText(/2 start immediately. 10 start when EU 5 GB ends: /)).toBeInTheDocument();
    // Another person renewed two of them in the meantime.
    gateway.respond('POST /cube/sim/renew', ({ body }) =>
      (body as { preview: boolean }).preview
        ? shown('b', [{ ...lines[0], at_once: 0 }])
        : errorResponse({
            http: 409,
            code: 'CB-02-0009',
            message: 'The order would now differ from its preview',
          }),
    );
    await user.click(screen.getByRole('button', { name: 'Renew 12 SIMs' }));
    expect(await screen.findByText('The order would now differ from its preview')).toBeInTheDocument();
    expect(await screen.findByText(/12 start when EU 5 GB ends: /)).toBeInTheDocument();
    gateway.respond('POST /cube/sim/renew', () => success({ preview: null, task }));
    await user.click(screen.getByRole('button', { name: 'Renew 12 SIMs' }));
    expect(await screen.findByText('T00000012')).toBeInTheDocument();
    const bodies = orders('/cube/sim/renew').map(({ preview_digest: digest }) => digest);
    expect(bodies).toEqual(['a', 'b']);
  });

  test('starts with the name of the single SIM, and clears it when left empty', async () => {
    gateway.respond('GET /cube/sim/basic', () =>
      success({ iccid, device_name: 'Truck 1', notes: null, tags: ['fleet'] }),
    );
    gateway.respond('POST /cube/sim/deviceName', ({ body }) =>
      success(
        (body as { preview: boolean }).preview
          ? { preview: { selected: 1, changing: 1, refused: [] }, task: null }
          : { preview: null, task: { ...task, quantity: 1 } },
      ),
    );
    const { user } = await openDialog('deviceName', true);
    const field = await screen.findByLabelText('Device name');
    await waitFor(() => expect(field).toHaveValue('Truck 1'));
    expect(await screen.findByText('The device name of 1 SIM will be set.')).toBeInTheDocument();
    await user.clear(field);
    expect(screen.getByText('The device name of 1 SIM will be cleared.')).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Name 1 SIM' }));
    await screen.findByText('T00000012');
    expect(orders('/cube/sim/deviceName')).toEqual([{ selection: { iccids: [iccid] }, device_name: null }]);
  });

  test('that would clear texts of several SIMs warns until one is entered', async () => {
    gateway.respond('POST /cube/device/saveNote', () => success({ preview, task: null }));
    const { user } = await openDialog('notes');
    expect(await screen.findByText('The notes of 12 SIMs will be cleared.')).toBeInTheDocument();
    await user.type(screen.getByLabelText('Notes'), 'x');
    expect(screen.getByText('The notes of 12 SIMs will be set.')).toBeInTheDocument();
  });

  test('keeps the entered text when the SIM uses data in the meantime', async () => {
    gateway.respond('GET /cube/sim/basic', () => success({ iccid, notes: 'Old', cycle: { usage_bytes: 1 } }));
    gateway.respond('POST /cube/device/saveNote', () => success({ preview, task: null }));
    const { user } = await openDialog('notes', true);
    const field = await screen.findByLabelText('Notes');
    await waitFor(() => expect(field).toHaveValue('Old'));
    await user.type(field, ' and new');
    // Updates the query as the SIM's page does for each of its reports.
    const queryKey: readonly unknown[] = endpointQuery(endpoints.sim.basic, { query: { iccid } }).queryKey;
    act(() => {
      queries.setQueryData<{ data: object }>(queryKey, (answer) => ({
        ...answer,
        data: { ...answer?.data, cycle: { usage_bytes: 2 } },
      }));
    });
    expect(queries.getQueryData(queryKey)).toMatchObject({ data: { cycle: { usage_bytes: 2 } } });
    await user.type(field, '!');
    expect(field).toHaveValue('Old and new!');
  });

  test('offers no text to replace one that is not known, and says why', async () => {
    gateway.respond('GET /cube/sim/basic', () => errorResponse({ http: 403, code: 'CB-00-0403' }));
    gateway.respond('POST /cube/device/saveNote', () => success({ preview, task: null }));
    const { user } = await openDialog('notes', true);
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.queryByLabelText('Notes')).toBeNull();
    expect(screen.getByRole('button', { name: 'Set notes' })).toBeDisabled();
    gateway.respond('GET /cube/sim/basic', () => success({ iccid, notes: 'Old' }));
    await user.click(again);
    await waitFor(() => expect(screen.getByLabelText('Notes')).toHaveValue('Old'));
    expect(screen.getByLabelText('Notes')).toHaveFocus();
    expect(await screen.findByRole('button', { name: /12 SIMs/ })).toBeEnabled();
  });

  test('accepts tags of at most ten characters, and requests a new preview', async () => {
    gateway.respond('POST /cube/device/tag', () => success([{ tag: 'fleet', sims: 40 }]));
    gateway.respond('POST /cube/device/saveTag', () => success({ preview, task: null }));
    const { user } = await openDialog('tags');
    const add = await screen.findByLabelText('Add tags');
    await user.click(add);
    await user.type(add, 'far-too-long-a-tag,', { skipClick: true });
    expect(await screen.findByRole('alert')).toHaveTextContent('far-too-long-a-tag: At most 10 characters');
    expect(add).toHaveAttribute('aria-invalid', 'true');
    await user.type(add, 'meter,', { skipClick: true });
    // The text stays visible, and no request or order is sent with it.
    expect(screen.getByText('far-too-long-a-tag')).toBeInTheDocument();
    expect(gateway.sent.some(({ path }) => path === '/cube/device/saveTag')).toBe(false);
    expect(screen.getByRole('button', { name: 'Change tags' })).toBeDisabled();
    await user.click(screen.getByLabelText('Remove far-too-long-a-tag'));
    expect(await screen.findByText('Tags of 12 SIMs will change.')).toBeInTheDocument();
    expect(gateway.sent.findLast(({ path }) => path === '/cube/device/saveTag')?.body).toMatchObject({
      preview: true,
      add: ['meter'],
      remove: [],
    });
  });

  test('with nothing selected requires confirmation that all matching SIMs are meant', async () => {
    gateway.respond('POST /cube/sim/preActiveValidated', () => success({ ...preview, changing: 0 }));
    const { user } = renderScreen(<Page all="388" name="activate" />);
    await user.click(await screen.findByRole('button', { name: 'Begin' }));
    const dialog = await screen.findByRole('dialog', { name: 'Activate SIMs' });
    expect(dialog).toHaveTextContent('No SIM is selected.');
    expect(await within(dialog).findByRole('button', { name: /the 0 that can be activated/ })).toBeDisabled();
    await user.click(within(dialog).getByRole('button', { name: 'Show the pre-activated SIMs' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(shown).toHaveBeenCalledOnce();
    gateway.respond('POST /cube/sim/preActiveValidated', () => success(preview));
    await user.click(screen.getByRole('button', { name: 'Begin' }));
    await user.click(
      await screen.findByRole('button', { name: 'Continue with the 12 that can be activated' }),
    );
    expect(await screen.findByRole('button', { name: 'Activate 12 SIMs' })).toBeEnabled();
    expect(screen.getByRole('dialog')).toHaveTextContent('incurs its charges');
  });

  test('that exports shows that nothing is selected, and the number of all matching SIMs', async () => {
    const { user } = renderScreen(<Page all="2,844" name="export" />);
    await user.click(await screen.findByRole('button', { name: 'Begin' }));
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      'No SIM is selected: all 2,844 that match will be exported.',
    );
  });

  test('exports in the chosen format', async () => {
    gateway.respond('POST /cube/sim/list/export/task', () => success(task));
    const { user } = await openDialog('export');
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByText('XLSX'));
    await user.click(within(dialog).getByRole('button', { name: 'Export' }));
    expect(await screen.findByText('T00000012')).toBeInTheDocument();
    expect(orders('/cube/sim/list/export/task')).toEqual([{ selection: { filter: {} }, format: 'xlsx' }]);
  });
});
