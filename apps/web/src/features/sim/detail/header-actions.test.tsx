import type { DataRestriction } from '@simcube/contract/sim';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { useCommands } from '../../../lib/commands/index.ts';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import type { Operation } from '../operations/index.ts';
import { HeaderActions } from './header-actions.tsx';

const gateway = stubGateway();
const iccid = '89860012300004518823';

beforeEach(() => {
  signedInAs('operator');
  gateway.respond('POST /cube/sim/suspend', () => success({ changing: 1, refused: [], total: 1 }));
});

const PaletteCommands = () => (
  <output>
    {useCommands().map(({ heading, commands }) => `${heading}: ${commands.map(({ key }) => key).join()}`)}
  </output>
);

interface HeaderProps {
  operation?: Operation;
  suspended?: boolean;
  restrictions?: { by: DataRestriction }[];
}

const Header = ({ operation, suspended = true, restrictions = [] }: HeaderProps) => {
  const [wanted, setWanted] = useState(operation);
  return (
    <>
      <HeaderActions
        basic={
          {
            iccid,
            device_name: 'Truck 9',
            lifecycle: 'active',
            sms_suspended: suspended,
            data: { restrictions },
          } as never
        }
        iccid={iccid}
        onDiagnose={() => undefined}
        onStart={() => setWanted(undefined)}
        requested={wanted}
      />
      <PaletteCommands />
    </>
  );
};

test('the palette offers the operations that apply to the SIM and that the person may use', async () => {
  renderScreen(<Header />);
  expect(
    await screen.findByText(`Truck 9 · ${iccid}: diagnose,suspend,reset,export,resumeMt`),
  ).toBeInTheDocument();
});

test('a SIM that a rule has stopped can be resumed', async () => {
  renderScreen(<Header restrictions={[{ by: 'pool' }, { by: 'rule' }]} />);
  expect(await screen.findByRole('button', { name: 'Resume' })).toBeInTheDocument();
  expect(screen.getByText(/diagnose,suspend,resume,reset/)).toBeInTheDocument();
});

test('a SIM that only its pool has stopped can not be resumed', async () => {
  renderScreen(<Header restrictions={[{ by: 'pool' }]} />);
  await screen.findByRole('button', { name: 'Suspend' });
  expect(screen.queryByRole('button', { name: 'Resume' })).not.toBeInTheDocument();
});

test('the operation in the URL opens its dialog once', async () => {
  const { user } = renderScreen(<Header operation="suspend" />);
  const dialog = await screen.findByRole('dialog', { name: /^Suspend/ });
  expect(dialog).toHaveTextContent(iccid);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test('an operation that the person may not use opens nothing', async () => {
  renderScreen(<Header operation="terminate" />);
  await screen.findByText(/diagnose,suspend/);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('an SMS is written in the conversation of this SIM', async () => {
  const { user, history } = renderScreen(<Header suspended={false} />);
  await user.click(await screen.findByRole('button', { name: 'Send SMS' }));
  expect(history.location.href).toBe(`/en-US/simCard/${iccid}?tab=sms`);
});

test('a SIM whose SMS are suspended offers none', async () => {
  renderScreen(<Header />);
  await screen.findByRole('button', { name: 'Suspend' });
  expect(screen.queryByRole('button', { name: 'Send SMS' })).not.toBeInTheDocument();
});

test('the main action is the last one', async () => {
  renderScreen(<Header suspended={false} />);
  const main = await screen.findByRole('button', { name: 'Send SMS' });
  const more = screen.getByRole('button', { name: 'More actions for this SIM' });
  expect(more.compareDocumentPosition(main)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});
