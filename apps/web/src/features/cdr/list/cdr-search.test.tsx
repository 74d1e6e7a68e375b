import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { CdrsScreen, cdrSearch } from '../index.ts';

const gateway = stubGateway();
const Screen = () => <CdrsScreen {...useAddress(cdrSearch)} />;
const searchField = () => screen.findByRole('textbox', { name: 'ICCID, IMSI, MSISDN or session' });

beforeEach(() => {
  signedInAs('user');
  gateway.respond('POST /cdr/distributor/ACME/stdcdrs', () =>
    success([], { total_count: 0, total_relation: 'eq' }),
  );
});

test('Enter in the empty search keeps the filter by several SIMs', async () => {
  const { user, history } = renderScreen(<Screen />, '/?sims=8934070000023561120&sims=214070023561120');
  await user.type(await searchField(), '{Enter}');
  expect(history.location.search).toContain('sims=8934070000023561120&sims=214070023561120');
});

test('a text that is no SIM or session removes the previous search, and is reported', async () => {
  const { user, history } = renderScreen(<Screen />, '/?sims=8934070000023561120');
  const field = await searchField();
  expect(field).toHaveValue('8934070000023561120');
  await user.clear(field);
  await user.type(field, '8934{Enter}');
  expect(field).toHaveAccessibleDescription('Complete ICCID, IMSI, MSISDN or session');
  expect(field).toHaveValue('8934');
  expect(history.location.search).toBe('');
});

test('why a period from the URL is refused is said once', async () => {
  const issues = [{ path: 'to', key: 'spanTooLong', message: 'At most 31 days' }];
  for (const call of ['cdr', 'cdr/sum'])
    gateway.respond(`POST /${call}/distributor/ACME/stdcdrs`, () =>
      errorResponse({ http: 400, code: 'CB-00-0400', message: 'Check the fields', issues }),
    );
  renderScreen(<Screen />, '/?from=2026-01-01&to=2026-12-01');
  expect(await screen.findAllByText('At most 31 days')).toHaveLength(1);
  await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(1));
  expect(screen.queryByText('Check the fields')).toBeNull();
});
