import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { testIccid } from '../../../testing/orders.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import type { Operation } from './operation.ts';
import { useSimOperations } from './use-sim-operations.tsx';

const gateway = stubGateway();
const preview = { selected: 1, changing: 1, digest: 'd', refused: [] };

const Page = ({ name }: { name: Operation }) => {
  const { start, dialog } = useSimOperations();
  return (
    <>
      <button
        onClick={() => start(name, { selection: { iccids: [testIccid] }, iccid: testIccid })}
        type="button"
      >
        {'Begin'}
      </button>
      {dialog}
    </>
  );
};

const openDialog = async (name: Operation) => {
  const { user } = renderScreen(<Page name={name} />);
  await user.click(await screen.findByRole('button', { name: 'Begin' }));
  return { user, dialog: await screen.findByRole('dialog') };
};

beforeEach(() => signedInAs('admin'));

test('the dialog for a single SIM speaks of one', async () => {
  gateway.respond('POST /cube/sim/suspend', () =>
    success({ preview: { ...preview, changing: 0 }, task: null }),
  );
  const { dialog } = await openDialog('suspend');
  expect(dialog).toHaveTextContent(/^Suspend/);
  expect(dialog).toHaveTextContent('the network rejects the SIM until it is resumed');
  expect(await screen.findByText('The SIM would not change.')).toBeInTheDocument();
  expect(dialog).not.toHaveTextContent('SIMs');
});

test('the transfer of a single SIM offers no file', async () => {
  gateway.respond('GET /customer/orgs', () => success([]));
  const { dialog } = await openDialog('transfer');
  expect(await screen.findByRole('combobox', { name: 'Target organisation' })).toBeInTheDocument();
  expect(dialog).toHaveTextContent(/^Transfer 8/);
  expect(dialog).not.toHaveTextContent('A file');
});

test('a name that is too long is kept and not sent', async () => {
  gateway.respond('GET /cube/sim/basic', () => success({ iccid: testIccid, device_name: null }));
  gateway.respond('POST /cube/sim/deviceName', () => success({ preview, task: null }));
  const { user } = await openDialog('deviceName');
  const field = await screen.findByLabelText('Device name');
  await user.click(field);
  await user.paste('x'.repeat(61));
  expect(field).toHaveValue('x'.repeat(61));
  expect(field).toHaveAccessibleDescription('At most 60 characters');
  expect(screen.getByRole('button', { name: /Set device name|Name 1 SIM/ })).toBeDisabled();
  await user.keyboard('{Backspace}');
  expect(await screen.findByRole('button', { name: 'Name 1 SIM' })).toBeEnabled();
  // Blanks at the ends are removed, and characters are counted as the server does.
  await user.clear(field);
  await user.paste(` ${'😀'.repeat(60)} `);
  expect(screen.getByRole('button', { name: 'Name 1 SIM' })).toBeEnabled();
  await user.paste('\u0007');
  expect(field).toHaveAccessibleDescription(/control characters/);
  expect(screen.getByRole('button', { name: /Name 1 SIM/ })).toBeDisabled();
});
