import { screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { ActionsCard } from './actions-card.tsx';
import { type Draft, emptyDraft, issuesOf } from './draft.ts';

const gateway = stubGateway();
const base = 'GET /rule-engine/auto_flow/cube';

/** `checked`: as after an attempt to save. */
const Card = ({ actions = [], checked = false }: { actions?: Draft['actions']; checked?: boolean }) => {
  const [draft, setDraft] = useState<Draft>({ ...emptyDraft, actions });
  return (
    <ActionsCard
      disabled={false}
      draft={draft}
      issues={checked ? issuesOf(draft) : {}}
      onChange={(change) => setDraft({ ...draft, ...change })}
      rule={undefined}
    />
  );
};

beforeEach(() => {
  signedInAs('operator', { permissionsInfo: { operator: { 'autoflow-cube': ['read', 'write'] } } });
  gateway.respond(`${base}/templates`, () => success([], { total_count: 0 }));
  gateway.respond(`${base}/targets`, () =>
    success([
      { id: '3', kind: 'api', name: 'Fleet', addresses: 1, url: null },
      { id: '4', kind: 'email', name: 'Desk', addresses: 2, url: null },
    ]),
  );
});

test('a person who may write rules but not read accounts notifies targets by their names', async () => {
  const { user } = renderScreen(<Card />);
  await expect.poll(() => gateway.sent.some(({ path }) => path.endsWith('/targets'))).toBe(true);
  await user.click(await screen.findByRole('button', { name: '+ Action' }));
  await user.click(await screen.findByRole('menuitem', { name: 'POST to an API target' }));
  expect(await screen.findByText('Fleet')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: '+ Action' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Mail to a group' }));
  expect(await screen.findByText('Desk · 2 addresses')).toBeInTheDocument();
});

test('actions of a copied rule have the names of their targets', async () => {
  renderScreen(<Card actions={[{ kind: 'mail', group_id: '4', template_id: null }]} />);
  expect(await screen.findByText('Desk · 2 addresses')).toBeInTheDocument();
});

test('without targets, only people who may open them get a link', async () => {
  gateway.respond(`${base}/targets`, () => success([]));
  renderScreen(<Card />);
  expect(await screen.findByText('There is nobody to notify yet.')).toBeInTheDocument();
  expect(screen.queryByRole('link')).not.toBeInTheDocument();
});

test('a pasted tag that is too long is marked, and not cut off', async () => {
  const { user } = renderScreen(<Card actions={[{ kind: 'add-tag', tag: '' }]} checked />);
  const field = await screen.findByRole('textbox', { name: 'Tag' });
  await user.click(field);
  await user.paste('warehouse-7b');
  expect(field).toHaveValue('warehouse-7b');
  expect(field).toHaveAttribute('aria-invalid', 'true');
  expect(screen.getByRole('alert')).toHaveTextContent('At most 10 characters');
});
