import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { session } from '../lib/session/index.ts';
import { signedInAs } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { useTitle } from '../ui/title/index.ts';
import { placeOf, useRecentPlaces, useRememberPlaces } from './recent-places.ts';

beforeEach(() => {
  session.clear();
  signedInAs('user');
});

test.each([
  ['/simCard/8986', '?tab=usage', 'simCard/8986'],
  ['/simCard', '?search=x', undefined],
  ['/taskcenter', '?status=done&task=T7', 'taskcenter?task=T7'],
  ['/taskcenter', '', undefined],
  ['/userDetail', '?id=user-9', 'userDetail?id=user-9'],
  ['/userDetail', '?id=user-1', undefined],
  ['/analysis', '', undefined],
])('%s%s is the place %s', (path, search, place) => {
  expect(placeOf(path, search)).toBe(place);
});

const Frame = ({ title }: { title?: string }) => {
  useTitle('page', title);
  useRememberPlaces();
  return (
    <output>
      {useRecentPlaces()
        .map((place) => place.title)
        .join()}
    </output>
  );
};
const stored = () => session.get('recentPlaces');

test('places are stored once each with their latest name, by person and organisation, newest first', async () => {
  const { history } = renderScreen(<Frame title="Truck 9 · 8986" />, '/en-US/simCard/8986');
  await waitFor(() =>
    expect(stored()).toEqual({ 'user-1/ACME': [{ path: 'simCard/8986', title: 'Truck 9 · 8986' }] }),
  );
  for (let number = 1; number <= 9; number += 1) {
    act(() => history.push(`/en-US/simCard/${number}`));
    await waitFor(() => expect(stored()?.['user-1/ACME']?.[0]?.path).toBe(`simCard/${number}`));
  }
  act(() => history.push('/en-US/simCard/5'));
  await waitFor(() =>
    expect(
      stored()
        ?.['user-1/ACME']?.map(({ path }) => path.slice(8))
        .join(''),
    ).toBe('59876432'),
  );
  // The current place is left out.
  expect(screen.getByRole('status').textContent.split(',')).toHaveLength(7);
});

test('a page without a name is not stored, and signing out removes all places', async () => {
  const { history } = renderScreen(<Frame />, '/en-US/simCard/8986');
  await screen.findByRole('status');
  expect(stored()).toBeNull();
  act(() => history.push('/en-US/analysis'));
  session.set('recentPlaces', { 'user-1/ACME': [{ path: 'simCard/1', title: 'One' }] });
  expect(await screen.findByText('One')).toBeInTheDocument();
  act(() => session.clear());
  expect(stored()).toBeNull();
  expect(JSON.stringify({ ...localStorage })).not.toContain('simCard');
});
