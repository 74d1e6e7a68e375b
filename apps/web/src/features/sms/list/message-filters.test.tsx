import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { smsSearch } from '../search.ts';
import { MessagesPanel } from './messages.panel.tsx';

const gateway = stubGateway();
const iccidOf = (number: number): string => `8986001230000${String(number).padStart(7, '0')}`;

beforeEach(() => {
  signedInAs('operator');
  gateway.respond('POST /cube/sms/list', () => success([], { total_count: 0 }));
});

const Panel = () => <MessagesPanel {...useAddress(smsSearch)} onRows={() => undefined} />;
const show = (address: string) => renderScreen(<Panel />, address);
const asked = () => gateway.sent.filter(({ path }) => path === '/cube/sms/list').at(-1)?.body;

describe('messages', () => {
  test('are filtered by how they were sent', async () => {
    show('/?kind=scheduled&last=all');
    await waitFor(() => expect(asked()).toMatchObject({ kind: 'scheduled' }));
    expect(await screen.findByText('Scheduled')).toBeInTheDocument();
  });

  test('are filtered by pasted ICCIDs, of which a long list is not in the URL', async () => {
    const { user, history } = show('/?last=all');
    const paste = async (iccids: readonly string[]) => {
      await user.click(await screen.findByRole('combobox', { name: 'SIM' }));
      await user.paste(iccids.join(' '));
    };
    await user.click(await screen.findByRole('button', { name: '+ Filter' }));
    await user.click(await screen.findByRole('menuitem', { name: 'SIM' }));
    await paste([iccidOf(1), iccidOf(2), 'not-an-iccid']);
    await waitFor(() => expect(asked()).toMatchObject({ iccids: [iccidOf(1), iccidOf(2)] }));
    expect(history.location.search).toContain(`sims=${iccidOf(1)}`);
    const many = Array.from({ length: 51 }, (_, index) => iccidOf(index + 1));
    await paste(many);
    await waitFor(() => expect(asked()).toMatchObject({ iccids: many }));
    expect(history.location.search).toMatch(/list=[a-z0-9]+/);
    expect(history.location.search).not.toContain('sims=');
  });

  test('of a list that another tab has are not those of all SIMs', async () => {
    show('/?list=zzzzzzzz&last=all');
    await waitFor(() => expect(asked()).toMatchObject({ iccids: [] }));
    expect(await screen.findByText(/This list is not available in this tab/)).toBeInTheDocument();
  });
});
