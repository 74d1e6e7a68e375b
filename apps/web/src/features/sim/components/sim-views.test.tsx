import type { SavedView } from '@simcube/contract/sim';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { ListPanel, useList } from '../../../ui/list-screen/index.ts';
import { simSearch } from '../search.ts';
import { useSimColumns } from './sim-columns.tsx';
import { useSimSearch } from './sim-search.tsx';

const gateway = stubGateway();

const view = (id: string, changes: Partial<SavedView>): SavedView => ({
  id,
  name: `View ${id}`,
  filter: {},
  sort: null,
  outdated: false,
  shared: false,
  own: true,
  owner: 'Ana Martín',
  may: ['change', 'share', 'remove'],
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
  ...changes,
});
const trucks = view('7', {
  name: 'Trucks',
  filter: { lifecycle: ['active', 'paused'], usage_percent_min: 80 },
  sort: '-expires_at',
});
const others = view('8', {
  name: 'Depot',
  filter: { tags: ['depot'] },
  shared: true,
  own: false,
  owner: 'Ben Okri',
  may: [],
});

/** The server's state: calls change it as on the real server. */
let stored: SavedView[];
const sent = (method: string) =>
  gateway.sent.filter((one) => one.method === method).map(({ path, body }) => [path, body]);

beforeEach(() => {
  signedInAs('admin');
  stored = [trucks, others];
  gateway.respond('POST /cube/device/tag', () => success([]));
  gateway.respond('GET /cube/sim/views', () => success(stored));
});

const Screen = () => {
  const query = { data: undefined, error: null, isPlaceholderData: false, refetch: () => undefined };
  const address = useAddress(simSearch);
  const list = useList({ name: 'sims', of: simSearch, address, query, columns: useSimColumns() });
  return (
    <ListPanel
      {...useSimSearch(list)}
      empty={{ title: 'No SIMs yet' }}
      label="SIMs"
      list={list}
      rowKey={({ iccid }) => iccid}
    />
  );
};
const show = async (address = '') => {
  const shown = renderScreen(<Screen />, `/${address}`);
  await screen.findByRole('tab', { name: /^Trucks/ });
  return { ...shown, search: () => inOrder(shown.history.location.search) };
};
/** The parameters of a URL in a canonical order. */
const inOrder = (search: string): string =>
  [...new URLSearchParams(search)]
    .map((one) => one.join('='))
    .toSorted((one, other) => one.localeCompare(other))
    .join(' ');
const open = '?lifecycle=active&lifecycle=paused&usage=80&sort=-expires_at&view=7';
const tab = (name: string | RegExp) => screen.getByRole('tab', { name });
const choose = async (user: UserEvent, name: string) => {
  await user.click(screen.getByRole('button', { name: /^Actions for the view/ }));
  await user.click(await screen.findByRole('menuitem', { name }));
};
const confirm = async (user: UserEvent, title: string, action: string) => {
  const dialog = await screen.findByRole('dialog', { name: title });
  await user.click(within(dialog).getByRole('button', { name: action }));
};

describe('saved views as tabs', () => {
  test('a tab opens its filter and sort in the URL, and adds an entry to the history', async () => {
    const { user, history, search } = await show('?search=x&size=20');
    expect(tab('All SIMs')).toHaveAttribute('aria-selected', 'true');
    expect(tab('Depot shared by Ben Okri')).toBeInTheDocument();
    await user.click(tab('Trucks'));
    expect(search()).toBe(inOrder(`${open}&size=20`));
    expect(tab('Trucks')).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('tabpanel', { name: 'Trucks' })).toBeInTheDocument();
    await user.click(tab('All SIMs'));
    expect(search()).toBe('size=20');
    history.back();
    await waitFor(() => expect(tab('Trucks')).toHaveAttribute('aria-selected', 'true'));
  });

  test('the tabs are one tab stop; arrow keys move between them and Enter opens', async () => {
    const { user, search } = await show();
    expect(screen.getAllByRole('tab').map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);
    tab('All SIMs').focus();
    await user.keyboard('{ArrowLeft}');
    expect(tab(/^Depot/)).toHaveFocus();
    await user.keyboard('{ArrowRight}{End}{Home}{ArrowRight}');
    expect(tab('Trucks')).toHaveFocus();
    expect(search()).toBe('');
    await user.keyboard('{Enter}');
    expect(search()).toContain('view=7');
  });

  test('an unknown view in the URL shows all SIMs with the filter', async () => {
    await show('?lifecycle=active&view=999');
    expect(tab('All SIMs')).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('button', { name: 'Save view' })).toBeInTheDocument();
  });

  test('a failure to load views is shown and can be retried', async () => {
    gateway.respond('GET /cube/sim/views', () =>
      errorResponse({ http: 500, code: 'CB-99-0001', message: 'It broke.' }),
    );
    const { user } = renderScreen(<Screen />);
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('It broke.');
    gateway.respond('GET /cube/sim/views', () => success(stored));
    await user.click(within(alert).getByRole('button', { name: /try again/i }));
    expect(await screen.findByRole('tab', { name: 'Trucks' })).toBeInTheDocument();
  });
});

describe('a view that is filtered further', () => {
  test('is marked as changed until it is saved, in whatever order it was chosen', async () => {
    const { user } = await show(open.replace('active&lifecycle=paused', 'paused&lifecycle=active'));
    expect(tab('Trucks')).toBeInTheDocument();
    await user.type(screen.getByLabelText('ICCID, IMSI, MSISDN, IMEI, name, tag'), 'x');
    expect(await screen.findByRole('tab', { name: 'Trucks changed' })).toBeInTheDocument();
    gateway.respond('PUT /cube/sim/views/7', ({ body }) => {
      stored = [{ ...trucks, ...(body as Partial<SavedView>) }, others];
      return success(stored[0]);
    });
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(tab('Trucks')).toBeInTheDocument());
    expect(sent('PUT')).toEqual([
      [
        '/cube/sim/views/7',
        {
          filter: { lifecycle: ['paused', 'active'], usage_percent_min: 80, search: 'x' },
          sort: '-expires_at',
        },
      ],
    ]);
  });

  test('can be reset to the saved one', async () => {
    const { user, search } = await show(`${open}&search=x`);
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
    expect(search()).toBe(inOrder(open));
  });

  test('of another person is saved as a new view', async () => {
    const { user, search } = await show('?tags=depot&search=x&view=8');
    expect(screen.queryByRole('button', { name: 'Save changes' })).not.toBeInTheDocument();
    gateway.respond('POST /cube/sim/views', ({ body }) => {
      const created = view('9', body as Partial<SavedView>);
      stored = [...stored, created];
      return success(created);
    });
    await user.click(screen.getByRole('button', { name: 'Save as new view…' }));
    await user.type(await screen.findByLabelText('Name of the view'), 'My depot');
    await user.click(screen.getByRole('button', { name: 'Save view' }));
    expect(await screen.findByRole('tab', { name: 'My depot', selected: true })).toBeInTheDocument();
    expect(sent('POST').at(-1)?.[1]).toEqual({
      name: 'My depot',
      filter: { tags: ['depot'], search: 'x' },
      sort: null,
    });
    expect(search()).toBe('search=x tags=depot view=9');
  });
});

describe('the menu of a view', () => {
  test('renames it; a taken name is reported at the field', async () => {
    const { user } = await show(open);
    gateway.respond('PUT /cube/sim/views/7', () =>
      errorResponse({ http: 409, code: 'CB-01-0023', message: 'You already have a view with this name.' }),
    );
    await choose(user, 'Rename…');
    const field = await screen.findByLabelText('Name of the view');
    expect(field).toHaveValue('Trucks');
    await user.clear(field);
    await user.type(field, 'Vans');
    await user.click(screen.getByRole('button', { name: 'Rename' }));
    expect(await screen.findByText('You already have a view with this name.')).toBeInTheDocument();
    gateway.respond('PUT /cube/sim/views/7', () => {
      stored = [{ ...trucks, name: 'Vans' }, others];
      return success(stored[0]);
    });
    await user.click(screen.getByRole('button', { name: 'Rename' }));
    expect(await screen.findByRole('tab', { name: 'Vans', selected: true })).toBeInTheDocument();
    expect(sent('PUT').at(-1)).toEqual(['/cube/sim/views/7', { name: 'Vans' }]);
  });

  test('shares it with the organisation after confirmation, and stops sharing', async () => {
    const { user } = await show(open);
    gateway.respond('PUT /cube/sim/views/7/shared', () => {
      stored = [{ ...trucks, shared: true, may: ['change', 'withdraw', 'remove'] }, others];
      return success(stored[0]);
    });
    await choose(user, 'Share with the organisation…');
    await confirm(user, 'Share “Trucks” with the organisation?', 'Share');
    expect(await screen.findByRole('tab', { name: 'Trucks shared by you' })).toBeInTheDocument();
    gateway.respond('DELETE /cube/sim/views/7/shared', () => {
      stored = [trucks, others];
      return success(null);
    });
    await choose(user, 'Stop sharing…');
    await confirm(user, 'Stop sharing “Trucks”?', 'Stop sharing');
    expect(await screen.findByRole('tab', { name: 'Trucks', selected: true })).toBeInTheDocument();
  });

  test('lets an administrator withdraw another person’s view, which then disappears', async () => {
    stored = [trucks, { ...others, may: ['withdraw'] }];
    const { user, search } = await show('?tags=depot&view=8');
    gateway.respond('DELETE /cube/sim/views/8/shared', () => {
      stored = [trucks];
      return success(null);
    });
    await choose(user, 'Stop sharing…');
    expect(await screen.findByText(/Ben Okri keeps it/)).toBeInTheDocument();
    await confirm(user, 'Stop sharing “Depot”?', 'Stop sharing');
    await waitFor(() => expect(screen.queryByRole('tab', { name: /^Depot/ })).not.toBeInTheDocument());
    expect(search()).toBe('');
    expect(tab('All SIMs')).toHaveFocus();
  });

  test('removes it after confirmation, and opens all SIMs', async () => {
    const { user, search } = await show(open);
    await choose(user, 'Remove…');
    const dialog = await screen.findByRole('dialog', { name: 'Remove the view “Trucks”?' });
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(sent('DELETE')).toEqual([]);
    gateway.respond('DELETE /cube/sim/views/7', () => {
      stored = [others];
      return success(null);
    });
    await choose(user, 'Remove…');
    await confirm(user, 'Remove the view “Trucks”?', 'Remove');
    await waitFor(() => expect(screen.queryByRole('tab', { name: 'Trucks' })).not.toBeInTheDocument());
    expect(search()).toBe('');
    expect(tab('All SIMs')).toHaveFocus();
  });

  test('stays where the person went before the removal was answered', async () => {
    const { user, search } = await show(open);
    let answer = (): void => undefined;
    gateway.respond(
      'DELETE /cube/sim/views/7',
      () =>
        new Promise((resolve) => {
          answer = () => {
            stored = [others];
            resolve(success(null));
          };
        }),
    );
    await choose(user, 'Remove…');
    await confirm(user, 'Remove the view “Trucks”?', 'Remove');
    await waitFor(() => expect(sent('DELETE')).toHaveLength(1));
    await user.click(tab(/^Depot/));
    answer();
    await waitFor(() => expect(screen.queryByRole('tab', { name: 'Trucks' })).not.toBeInTheDocument());
    expect(search()).toContain('view=8');
  });

  test('moves it among the others', async () => {
    const { user } = await show(open);
    gateway.respond('PUT /cube/sim/viewOrder', () => {
      stored = [others, trucks];
      return success(null);
    });
    await choose(user, 'Move right');
    await waitFor(() =>
      expect(screen.getAllByRole('tab').map(({ textContent }) => textContent.trim())).toEqual([
        'All SIMs',
        'Depot',
        'Trucks',
      ]),
    );
    expect(sent('PUT')).toEqual([['/cube/sim/viewOrder', { view_ids: ['8', '7'] }]]);
    await user.click(screen.getByRole('button', { name: /^Actions for the view/ }));
    expect(await screen.findByRole('menuitem', { name: 'Move left' })).toBeInTheDocument();
    expect(screen.queryByRole('menuitem', { name: 'Move right' })).not.toBeInTheDocument();
  });

  test('offers only what the person may do: a copy of another person’s shared view', async () => {
    const { user } = await show('?tags=depot&view=8');
    await user.click(screen.getByRole('button', { name: 'Actions for the view Depot' }));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(['Save a copy…', 'Move left']);
  });
});

test('a view with filters that no longer exist is marked, and can be saved again', async () => {
  stored = [{ ...trucks, outdated: true }, others];
  await show(open);
  expect(screen.getByRole('status')).toHaveTextContent(/no longer exist/);
  expect(screen.getByRole('button', { name: 'Save changes' })).toBeInTheDocument();
});

test('a view of pasted SIMs is unchanged when it is opened', async () => {
  stored = [view('7', { name: 'Trucks', filter: { identifiers: ['89860012300004518823'] } }), others];
  const { user, search } = await show();
  await user.click(tab('Trucks'));
  expect(search()).toMatch(/^list=\w+ view=7$/);
  expect(tab('Trucks')).toHaveAttribute('aria-selected', 'true');
  await user.type(screen.getByLabelText('ICCID, IMSI, MSISDN, IMEI, name, tag'), 'x');
  expect(await screen.findByRole('tab', { name: 'Trucks changed' })).toBeInTheDocument();
});

test('a filter by pasted SIMs that this tab does not have can’t be saved, only discarded', async () => {
  const { user, search } = await show(`${open}&list=abcd1234`);
  await user.click(await screen.findByRole('button', { name: /^Actions for the view/ }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).not.toContain('Save a copy…');
  expect(screen.queryByRole('button', { name: /^Save/ })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(search()).toBe(inOrder(open)));
});
