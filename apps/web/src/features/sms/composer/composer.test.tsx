import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { LeaveGuard, useDraft } from '../../../ui/unsaved/index.ts';
import { Composer } from './composer.tsx';

const gateway = stubGateway();

/** An unsent reply in the conversation next to the composer. */
const Reply = () => {
  useDraft(() => true, undefined, true);
  return null;
};

test('a message continues as a schedule, and a reply next to it is discarded only after confirmation', async () => {
  signedInAs('operator');
  gateway.respond('GET /cube/sms/org/remain_usage', () =>
    success({ month: '2026-11', limit: null, used: 1, remaining: null }),
  );
  const { user, history } = renderScreen(
    <>
      <LeaveGuard />
      <Reply />
      <Composer onClose={() => undefined} onSent={() => undefined} selectionKey={undefined} />
    </>,
    '/en-US/message?compose=open',
  );
  await user.type(await screen.findByRole('textbox', { name: 'Text' }), '#STAT');
  await user.click(screen.getByRole('button', { name: 'Schedule…' }));
  expect(await screen.findByText('What you wrote has not been sent.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(history.location.pathname).toBe('/en-US/message');
  await user.click(screen.getByRole('button', { name: 'Schedule…' }));
  await user.click(await screen.findByRole('button', { name: 'Discard message' }));
  await waitFor(() => expect(history.location.pathname).toBe('/en-US/scheduleSmsAdd'));
});

test('the cost of a message without a text is only the number of SIMs', async () => {
  signedInAs('operator');
  gateway.respond('GET /cube/sms/org/remain_usage', () =>
    success({ month: '2026-11', limit: null, used: 1, remaining: null }),
  );
  gateway.respond('POST /cube/sim/list/identifiers', () =>
    success({ iccids: ['89860012300004518823'], not_found: [], duplicates: 0 }),
  );
  gateway.respond('POST /cube/sms/send', () =>
    success({
      preview: { selected: 1, changing: 1, digest: 'a', refused: [] },
      task: null,
      message: null,
      measure: null,
    }),
  );
  const { user } = renderScreen(
    <Composer onClose={() => undefined} onSent={() => undefined} selectionKey={undefined} />,
  );
  await user.type(
    await screen.findByRole('textbox', { name: 'ICCIDs of the recipients' }),
    '89860012300004518823',
  );
  expect(await screen.findByText('1 SIM')).toBeInTheDocument();
  expect(screen.queryByText(/0 parts/)).not.toBeInTheDocument();
  await user.type(screen.getByRole('textbox', { name: 'Text' }), '#STAT');
  expect(await screen.findByText(/1 SIM × 1 part =/)).toBeInTheDocument();
});
