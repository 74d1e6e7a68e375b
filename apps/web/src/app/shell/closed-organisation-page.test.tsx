import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { closeOrganisation, useClosedOrganisation } from '../../lib/closed-organisation/index.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { ClosedOrganisationPage } from './closed-organisation-page.tsx';

const Page = () => {
  const reason = useClosedOrganisation();
  return reason === null ? <output>{'open'}</output> : <ClosedOrganisationPage reason={reason} />;
};

beforeEach(() => signedInAs('user'));

test('the page of an organisation that requires two-factor links to its setup', async () => {
  closeOrganisation('twoFactor');
  const { user, history } = renderScreen(<Page />, '/en-US/analysis');
  await screen.findByRole('heading', { name: 'ACME Mobility requires two-factor authentication' });
  await user.click(screen.getByRole('button', { name: 'Turn on two-factor authentication' }));
  expect(history.location.href).toBe('/en-US/userDetail?id=user-1&tab=security');
});

test('the page of an organisation closed to the network offers a retry or another organisation', async () => {
  closeOrganisation('network');
  const { user, history } = renderScreen(<Page />, '/en-US/analysis');
  await screen.findByRole('heading', { name: 'ACME Mobility cannot be accessed from this network' });
  await user.click(screen.getByRole('button', { name: 'Another organisation' }));
  expect(history.location.href).toBe('/en-US/orgs');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByText('open')).toBeInTheDocument();
});
