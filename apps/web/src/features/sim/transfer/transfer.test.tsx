import { isAdmin, type Role } from '@simcube/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { isFollowed, unfollowTask } from '../../../lib/followed-tasks/index.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { TransferDialog } from './transfer-dialog.tsx';
import { UploadInfoDialog } from './upload-info-dialog.tsx';

const gateway = stubGateway();
const iccid = '89860012300004518823';
const uploadId = '0b7e7c2e-5f0c-4f3a-9d4e-0d6a7b8c9d10';
const preview = { selected: 3, changing: 3, digest: 'd', refused: [] };
const task = { reference_id: 'T00000077', quantity: 3 };
const callbacks = { onAccepted: vi.fn(), onClose: vi.fn() };

const organisation = (code: string, role: Role) => ({ code, name: `${code} Ltd`, role });
const fileField = (): HTMLInputElement => {
  const field = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!field) throw new Error('no file field');
  return field;
};
const csv = (name = 'sims.csv') => new File(['ICCID\n'], name, { type: 'text/csv' });

beforeEach(() => {
  signedInAs('admin');
  callbacks.onClose.mockClear();
  unfollowTask(task.reference_id);
  belongTo(organisation('ACME', 'admin'), organisation('NORD', 'superadmin'), organisation('SUED', 'user'));
});

/** The server's list: the first page of the organisations that the search finds. */
const belongTo = (...organisations: ReturnType<typeof organisation>[]): void =>
  gateway.respond('GET /customer/orgs', ({ query }) => {
    const found = organisations
      .filter(({ role }) => query.get('administered') === null || isAdmin(role))
      .filter(({ name }) => name.includes(query.get('search') ?? ''));
    return success(found.slice(0, Number(query.get('page_size'))), { total_count: found.length });
  });

const choose = async (user: ReturnType<typeof renderScreen>['user'], code = 'NORD') => {
  await user.click(await screen.findByRole('combobox', { name: 'Target organisation' }));
  await user.click(await screen.findByTitle(`${code} Ltd (${code})`));
};

test('a selection is transferred only to an organisation where the person is an admin', async () => {
  gateway.respond('POST /cube/sim/transfer', ({ body }) =>
    success((body as { preview?: boolean }).preview ? { preview, task: null } : { preview: null, task }),
  );
  const { user } = renderScreen(
    <TransferDialog {...callbacks} target={{ selection: { iccids: [iccid] } }} />,
  );
  await choose(user);
  expect(screen.queryByTitle(/ACME/)).not.toBeInTheDocument();
  expect(screen.queryByTitle(/SUED/)).not.toBeInTheDocument();
  await user.click(await screen.findByRole('button', { name: 'Transfer 3 SIMs' }));
  await expect.poll(() => isFollowed('T00000077')).toBe(true);
  expect(callbacks.onClose).toHaveBeenCalledOnce();
  const orders = gateway.sent.filter(({ path }) => path === '/cube/sim/transfer').map(({ body }) => body);
  expect(orders.at(-1)).toEqual({
    target_code: 'NORD',
    selection: { iccids: [iccid] },
    preview_digest: 'd',
  });
});

test('an organisation beyond the first hundred is found by its name, and remains shown', async () => {
  const codes = Array.from({ length: 101 }, (_, index) => `ORG-${String(index).padStart(3, '0')}`);
  belongTo(...codes.map((code) => organisation(code, 'admin')));
  gateway.respond('POST /cube/sim/transfer', () => success({ preview, task: null }));
  const { user } = renderScreen(
    <TransferDialog {...callbacks} target={{ selection: { iccids: [iccid] } }} />,
  );
  const field = await screen.findByRole('combobox', { name: 'Target organisation' });
  await user.type(field, 'ORG-1000');
  expect(await screen.findByText('No organisation matches')).toBeInTheDocument();
  await user.type(field, '{Backspace}');
  await user.click(await screen.findByTitle('ORG-100 Ltd (ORG-100)'));
  await screen.findByRole('button', { name: 'Transfer 3 SIMs' });
  // The search is cleared, and the first hundred are listed again.
  await user.click(field);
  expect(await screen.findByTitle('ORG-000 Ltd (ORG-000)')).toBeInTheDocument();
  expect(screen.getAllByTitle('ORG-100 Ltd (ORG-100)').length).toBeGreaterThan(0);
});

test('a transfer file is validated for the organisation, and its errors are shown at the file', async () => {
  const parse = 'POST /cube/sim/transfer/parse/NORD';
  gateway.respond(parse, () =>
    errorResponse({ http: 400, code: 'CB-09-0006', message: 'Bad file format: the file could not be read.' }),
  );
  gateway.respond('POST /cube/sim/transfer', () => success({ preview: null, task }));
  const { user } = renderScreen(<TransferDialog {...callbacks} target={undefined} />);
  expect(await screen.findByText('Choose the target organisation first.')).toBeInTheDocument();
  await choose(user);
  await user.upload(fileField(), csv());
  expect(await screen.findByRole('alert')).toHaveTextContent('Bad file format');
  gateway.respond(parse, () =>
    success({
      upload_id: uploadId,
      preview,
      errors: [
        { row: 5, column: 'ICCID', value: '12', code: 'CB-01-0021', message: 'An ICCID has 18 digits' },
      ],
      wrong_rows: 1,
    }),
  );
  await user.upload(fileField(), csv('better.csv'));
  expect(await screen.findByRole('row', { name: '5 ICCID 12 An ICCID has 18 digits' })).toBeInTheDocument();
  await user.upload(fileField(), csv('best.csv'));
  await user.click(await screen.findByRole('button', { name: 'Transfer 3 SIMs' }));
  await expect.poll(() => isFollowed('T00000077')).toBe(true);
  expect(callbacks.onClose).toHaveBeenCalledOnce();
  const sent = gateway.sent.filter(
    ({ method, path }) => method === 'POST' && path.startsWith('/cube/sim/transfer'),
  );
  expect(sent.map(({ body }) => (body as { file?: File }).file?.name)).toEqual([
    'sims.csv',
    'better.csv',
    'best.csv',
    undefined,
  ]);
  expect(sent.map(({ query }) => query.get('replaces'))).toEqual([null, null, uploadId, null]);
  expect(sent.at(-1)?.body).toEqual({ target_code: 'NORD', upload_id: uploadId });
});

test('a file belongs to the organisation it was validated for, whichever is chosen when the response arrives', async () => {
  belongTo(organisation('NORD', 'admin'), organisation('OST', 'admin'));
  let answer = (): void => undefined;
  const responseReady = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const parsed = { upload_id: uploadId, preview, errors: [], wrong_rows: 0 };
  gateway.respond('POST /cube/sim/transfer/parse/NORD', async () => {
    await responseReady;
    return success(parsed);
  });
  gateway.respond('POST /cube/sim/transfer/parse/OST', () =>
    success({ ...parsed, preview: { ...preview, changing: 2 } }),
  );
  const { user } = renderScreen(<TransferDialog {...callbacks} target={undefined} />);
  await choose(user);
  await user.upload(fileField(), csv());
  await choose(user, 'OST');
  await user.upload(fileField(), csv());
  await screen.findByRole('button', { name: 'Transfer 2 SIMs' });
  answer();
  await choose(user);
  await screen.findByRole('button', { name: 'Transfer 3 SIMs' });
  await choose(user, 'OST');
  await screen.findByRole('button', { name: 'Transfer 2 SIMs' });
});

test('an upload of info lists invalid rows, and applies the others', async () => {
  const path = '/cube/sim/organizationCode/ACME/batchUpdateInfo';
  gateway.respond(`POST ${path}/parse`, () =>
    success({
      upload_id: uploadId,
      rows: 4,
      preview,
      errors: [{ row: 3, column: 'Tags', value: 'a; b; c…', code: 'CB-01-0017', message: 'At most 10 tags' }],
      wrong_rows: 1,
      sample: [{ iccid, device_name: 'Truck 9', notes: null, tags: ['fleet'] }],
    }),
  );
  gateway.respond(`POST ${path}`, () => success(task));
  const { user } = renderScreen(<UploadInfoDialog {...callbacks} />);
  await screen.findByRole('dialog');
  await user.upload(fileField(), csv());
  expect(await screen.findByText('1 row has errors and will be skipped')).toBeInTheDocument();
  expect(screen.getByRole('row', { name: '3 Tags a; b; c… At most 10 tags' })).toBeInTheDocument();
  expect(screen.getByRole('region', { name: '1 row has errors and will be skipped' })).toBeInTheDocument();
  expect(screen.getByRole('cell', { name: 'Truck 9' })).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Change 3 SIMs' }));
  await expect.poll(() => isFollowed('T00000077')).toBe(true);
  expect(callbacks.onClose).toHaveBeenCalledOnce();
  const order = gateway.sent.find((request) => request.path === path);
  expect(order?.body).toEqual({ upload_id: uploadId });
});

test.each([
  ['sims.txt', 'Only csv, xls and xlsx files are supported.'],
  [`${'x'.repeat(40)}.csv`, 'The file name must have fewer than 40 characters.'],
])('%s never leaves the browser', async (name, problem) => {
  const { user } = renderScreen(<UploadInfoDialog {...callbacks} />);
  await screen.findByRole('dialog');
  // People may drop files that the file chooser would not offer.
  const field = fileField();
  field.removeAttribute('accept');
  await user.upload(field, csv(name));
  expect(await screen.findByRole('alert')).toHaveTextContent(problem);
  await waitFor(() => expect(gateway.sent.some(({ method }) => method === 'POST')).toBe(false));
});
