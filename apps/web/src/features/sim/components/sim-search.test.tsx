import { limits } from '@simcube/contract';
import type { SimFilter } from '@simcube/contract/sim';
import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, test } from 'vitest';
import { splitIdentifiers } from '../../../lib/identifiers/index.ts';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { ListPanel, useList } from '../../../ui/list-screen/index.ts';
import { findIdentifierList, storeIdentifierList } from '../identifier-lists.ts';
import { type SimSearch, simFilterOf, simSearch } from '../search.ts';
import { useSimColumns } from './sim-columns.tsx';
import { useSimSearch } from './sim-search.tsx';

const gateway = stubGateway();
const iccid = '89860012300004518823';
let filter: SimFilter;

const Screen = ({ initial }: { initial: SimSearch }) => {
  const [search, onSearchChange] = useState(initial);
  filter = simFilterOf(search);
  const query = { data: undefined, error: null, isPlaceholderData: false, refetch: () => undefined };
  const address = { search, onSearchChange };
  const list = useList({ name: 'sims', of: simSearch, address, query, columns: useSimColumns() });
  return (
    <ListPanel
      {...useSimSearch(list)}
      empty={{ title: 'No SIMs yet' }}
      label="SIMs"
      list={list}
      rowKey={({ iccid: key }) => key}
    />
  );
};
const show = (initial: SimSearch = {}) => renderScreen(<Screen initial={initial} />);

beforeEach(() => {
  signedInAs('admin');
  gateway.respond('POST /cube/device/tag', () => success([{ tag: 'fleet', sims: 4 }]));
});

test('identifiers are found with any separators', () => {
  expect(splitIdentifiers(`${iccid},262021234518823; +4915112345678\n\t"abc"|x`)).toEqual([
    iccid,
    '262021234518823',
    '4915112345678',
    'abc',
    'x',
  ]);
});

describe('the advanced search', () => {
  test('searches by cost to the cent, also with an amount from a link', async () => {
    const { user } = show({ cost_min: 4.99 });
    expect(await screen.findByText('≥ 4.99')).toBeInTheDocument();
    await user.click(await screen.findByText('Advanced search'));
    const drawer = await screen.findByRole('dialog');
    const cost = within(drawer).getByRole('region', { name: 'Cost of the cycle' });
    expect(within(cost).getByLabelText('At least')).toHaveValue('4.99');
    await user.type(within(cost).getByLabelText('At most'), '17.5');
    await user.click(within(drawer).getByText('Search by 1 field'));
    await waitFor(() => expect(filter).toMatchObject({ cost_min: 4.99, cost_max: 17.5 }));
  });

  test('searches by all fields together, and shows each as a removable chip', async () => {
    const { user } = show();
    await user.click(await screen.findByText('Advanced search'));
    const drawer = await screen.findByRole('dialog');
    await user.type(within(drawer).getByLabelText('Device name', { selector: 'input' }), 'Truck');
    await user.click(within(drawer).getByLabelText('Industrial'));
    await user.click(within(drawer).getByLabelText('Multi-IMSI'));
    expect(filter.device_name).toBeUndefined();
    await user.click(within(drawer).getByText('Search by 3 fields'));
    await waitFor(() =>
      expect(filter).toMatchObject({
        device_name: 'Truck',
        chip_grade: ['industrial'],
        technology: ['multi IMSI'],
      }),
    );
    await user.click(await screen.findByLabelText('Remove filter Device name'));
    expect(filter.device_name).toBeUndefined();
    expect(filter.chip_grade).toEqual(['industrial']);
  });

  test('reports an invalid address', async () => {
    const { user } = show();
    await user.click(await screen.findByText('Advanced search'));
    const drawer = await screen.findByRole('dialog');
    await user.type(within(drawer).getByLabelText('IP', { selector: 'input' }), '10.0.0');
    expect(await within(drawer).findByRole('alert')).toHaveTextContent('This is not an IP address.');
  });
});

describe('the advanced search with an invalid field', () => {
  test('does not start, and clears it with all others', async () => {
    const { user } = show();
    await user.click(await screen.findByText('Advanced search'));
    const drawer = await screen.findByRole('dialog');
    await user.click(within(drawer).getByLabelText('Industrial'));
    const task = within(drawer).getByLabelText('Changed by task', { selector: 'input' });
    await user.type(task, 'T123');
    await user.click(within(drawer).getByText('Search by 1 field'));
    expect(within(drawer).getByRole('alert')).toHaveTextContent('such as T00000018');
    expect(task).toHaveFocus();
    expect(filter.chip_grade).toBeUndefined();
    await user.click(within(drawer).getByText('Clear all'));
    expect(within(drawer).getByLabelText('Changed by task', { selector: 'input' })).toHaveValue('');
    expect(within(drawer).queryByRole('alert')).not.toBeInTheDocument();
  });
});

describe('the bulk search', () => {
  test('shows how many were found and which were not, and lists the SIMs found', async () => {
    gateway.respond('POST /cube/sim/list/identifiers', () =>
      success({ iccids: [iccid], not_found: ['5555555555'], duplicates: 1 }),
    );
    const { user } = show();
    await user.click(await screen.findByText('Bulk search…'));
    await user.type(await screen.findByLabelText('Paste the list'), `${iccid} ${iccid}, 5555555555`);
    await user.click(screen.getByRole('button', { name: 'Find' }));
    expect(await screen.findByText('5555555555')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Show 1 SIM' }));
    await waitFor(() => expect(filter.identifiers).toEqual([iccid]));
    expect(await screen.findByText('1 SIM, in this tab only')).toBeInTheDocument();
  });

  test('rejects too long a list before sending a request', async () => {
    gateway.respond('POST /cube/sim/list/identifiers/file', () =>
      success({ identifiers: Array.from({ length: limits.bulkSearch + 1 }, (_, index) => `${index}`) }),
    );
    const { user } = show();
    await user.click(await screen.findByText('Bulk search…'));
    await screen.findByLabelText('Paste the list');
    const field = document.querySelector<HTMLInputElement>('input[type="file"]');
    if (field) await user.upload(field, new File(['x'], 'list.csv'));
    expect(await screen.findByText(/at most 10,000 can be searched at once/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Find' })).toBeDisabled();
  });
});

test('a stored list survives a reload, and belongs to one person in one organisation', () => {
  const key = storeIdentifierList({ iccids: [iccid], notFound: ['x'], duplicates: 2 });
  expect(JSON.parse(sessionStorage.getItem(`simcube.sims.list.${key}`) ?? '{}')).toMatchObject({
    iccids: [iccid],
    duplicates: 2,
  });
  expect(findIdentifierList(key)?.notFound).toEqual(['x']);
  signedInAs('admin', { userId: 'user-2' });
  expect(findIdentifierList(key)).toBeUndefined();
});
