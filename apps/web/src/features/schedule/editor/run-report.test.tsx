import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { type Draft, emptyDraft } from './draft.ts';
import { RunReportCard } from './run-report-card.tsx';

const gateway = stubGateway();
const groups = 'GET /customer/sms/task/groups';

const Card = () => {
  const [draft, setDraft] = useState<Draft>(emptyDraft({ today: '2026-11-21', zone: 'UTC' }));
  return (
    <RunReportCard
      disabled={false}
      draft={draft}
      onChange={(change) => setDraft({ ...draft, ...change })}
      schedule={undefined}
    />
  );
};

test('an operator chooses who gets a report', async () => {
  signedInAs('operator');
  gateway.respond(groups, () =>
    success([
      { id: '4', kind: 'email', name: 'Desk', addresses: 1, url: null },
      { id: '5', kind: 'email', name: 'Night shift', addresses: 3, url: null },
    ]),
  );
  const { user } = renderScreen(<Card />);
  expect(await screen.findByText('nobody')).toBeInTheDocument();
  await user.click(screen.getByRole('checkbox', { name: 'Mail a report to' }));
  await user.click(await screen.findByRole('combobox', { name: 'Mail a report to' }));
  await user.click(await screen.findByTitle('Night shift'));
  expect(await screen.findByText('3 addresses')).toBeInTheDocument();
});

test.each([
  ['operator', false],
  ['admin', true],
] as const)('an %s sees that the organisation has no groups', async (role, mayCreate) => {
  signedInAs(role);
  gateway.respond(groups, () => success([]));
  renderScreen(<Card />);
  expect(await screen.findByText(/The organisation has no address groups yet\./)).toBeInTheDocument();
  expect(screen.getByRole('checkbox', { name: 'Mail a report to' })).toBeDisabled();
  expect(screen.queryByRole('link', { name: 'Notification targets' }) !== null).toBe(mayCreate);
});
