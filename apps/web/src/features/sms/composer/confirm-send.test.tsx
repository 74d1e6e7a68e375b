import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { ConfirmSend } from './confirm-send.tsx';

const gateway = stubGateway();
const call = 'POST /cube/sms/send';
interface Body {
  preview: boolean;
  preview_digest?: string;
}

const previewOf = (sims: number, digest: string) =>
  success({
    preview: { selected: sims, changing: sims, digest, refused: [] },
    task: null,
    message: null,
    measure: { encoding: 'gsm7', parts: 1, total_parts: sims, remaining: 31_726 },
  });

test('a message is not sent to SIMs that were not confirmed: it says so, and is sent with one more click', async () => {
  signedInAs('operator');
  const onSent = vi.fn();
  const order = { selection: { filter: { tags: ['berlin'] } }, content: '#STAT' };
  gateway.respond(call, () => previewOf(40, 'a'));
  const { user } = renderScreen(<ConfirmSend onClose={() => undefined} onSent={onSent} order={order} />);
  const dialog = within(await screen.findByRole('dialog'));
  const button = await dialog.findByRole('button', { name: 'Send to 40 SIMs' });
  // Another person tagged more SIMs in the meantime.
  gateway.respond(call, ({ body }) =>
    (body as Body).preview
      ? previewOf(540, 'b')
      : errorResponse({ http: 409, code: 'CB-01-0032', message: 'Not as previewed' }),
  );
  await user.click(button);
  expect(await dialog.findByRole('alert')).toHaveTextContent(
    /^Nothing was sent: .* other SIMs than you confirmed \(40 before, 540 now\)\./,
  );
  expect(onSent).not.toHaveBeenCalled();
  gateway.respond(call, () =>
    success({ preview: null, measure: null, message: null, task: { reference_id: 'T1', quantity: 540 } }),
  );
  await user.click(dialog.getByRole('button', { name: 'Send to 540 SIMs' }));
  await waitFor(() => expect(onSent).toHaveBeenCalledOnce());
  const sent = gateway.sent.map(({ body }) => body as Body).filter(({ preview }) => !preview);
  // Again bound to a preview, a message to all online SIMs would be refused again and again.
  expect(sent.map(({ preview_digest: digest }) => digest)).toEqual(['a', undefined]);
});

test('while the preview is not known, no number of SIMs is shown', async () => {
  signedInAs('operator');
  gateway.respond(call, () => errorResponse({ http: 500, code: 'CB-00-0500', message: 'Out of order.' }));
  const order = { selection: { filter: { tags: ['berlin'] } }, content: '#STAT' };
  renderScreen(<ConfirmSend onClose={() => undefined} onSent={() => undefined} order={order} />);
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('Out of order.')).toBeInTheDocument();
  expect(dialog.getByRole('button', { name: 'Send' })).toBeDisabled();
});
