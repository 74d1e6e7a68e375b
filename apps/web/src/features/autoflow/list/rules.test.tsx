import { headers } from '@simcube/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { rule } from '../../../testing/rule-examples.ts';
import { respondWithRule, rulesPath } from '../../../testing/rule-responses.ts';
import { type RulesSearch, rulesSearch } from '../search.ts';
import { RulesScreen } from './rules.screen.tsx';

const gateway = stubGateway();
const base = rulesPath;
const Rules = () => <RulesScreen {...useAddress(rulesSearch)} />;
const showRules = (search: RulesSearch = {}) => renderScreen(<Rules />, `/${stringifySearch(search)}`);
const sentTo = (method: string, path: string) =>
  gateway.sent.filter((one) => one.method === method && one.path === path);
const askedOf = (method: string, path: string) => Object.fromEntries(sentTo(method, path)[0]?.query ?? []);

beforeEach(() => {
  signedInAs('admin');
  respondWithRule(gateway);
});

describe('the rule list', () => {
  test('shows trigger, firings, failures and possible overshoot of each rule', async () => {
    const { user } = showRules();
    expect(await screen.findByText('Data usage reaches 36 GB in the bundle cycle')).toBeInTheDocument();
    expect(screen.getByText('2 of 3 failed')).toBeInTheDocument();
    expect(screen.getByRole('img', { name: '14 firings in 2 days' })).toBeInTheDocument();
    expect(await screen.findByText('1 of 50 rules')).toBeInTheDocument();
    await user.click(await screen.findByText('≤ 2 GB'));
    expect(await screen.findByText('48 Mbit/s')).toBeInTheDocument();
    expect(screen.getByText('set it to 34 GB')).toHaveAttribute(
      'href',
      '/en-US/workFlowOperation?id=7&threshold=34GB',
    );
  });

  test('sends its filters to the server, without unknown triggers and scopes', async () => {
    showRules({ condition: 'failing', trigger: 'silent', scope: 'none', search: 'camera' });
    await screen.findByText('2 of 3 failed');
    const asked = askedOf('GET', `${base}/rules`);
    expect(asked).toMatchObject({ condition: 'failing', trigger: 'silent', search: 'camera' });
    expect(asked).not.toHaveProperty('scope');
    cleanup();
    showRules({ trigger: 'none' });
    await waitFor(() => expect(sentTo('GET', `${base}/rules`)).toHaveLength(2));
    expect(sentTo('GET', `${base}/rules`)[1]?.query.has('trigger')).toBe(false);
  });

  test('disables a rule, and removes one after confirmation', async () => {
    gateway.respond(`PUT ${base}/rules/7/disabled`, () => success({ ...rule, enabled: false }));
    gateway.respond(`DELETE ${base}/rules/7`, () => success(null));
    const { user } = showRules();
    await user.click(await screen.findByRole('switch', { name: 'Enable Camera hard stop' }));
    await waitFor(() => expect(sentTo('PUT', `${base}/rules/7/disabled`)).toHaveLength(1));
    await user.click(screen.getByLabelText('Actions for Camera hard stop'));
    await user.click(await screen.findByText('Remove'));
    const question = (
      await screen.findByText('Remove Camera hard stop?', { selector: '.ant-modal-confirm-title' })
    ).closest('.ant-modal');
    expect(sentTo('DELETE', `${base}/rules/7`)).toEqual([]);
    await user.click(within(question as HTMLElement).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(sentTo('DELETE', `${base}/rules/7`)).toHaveLength(1));
    // The server checks the email address and records the scene.
    const removal = sentTo('DELETE', `${base}/rules/7`)[0]?.headers;
    expect(removal?.get(headers.operatorEmail)).toBe('ana@acme.example');
    expect(removal?.get(headers.scene)).toBe('list');
  });

  test('fades the row of a disabled rule', async () => {
    const disabled = { ...rule, id: '8', name: 'Reply flood', enabled: false, condition: 'disabled' };
    gateway.respond(`GET ${base}/rules`, () => success([rule, disabled], { total_count: 2 }));
    showRules();
    const rowOf = async (name: string) => (await screen.findByText(name)).closest('tr');
    expect(await rowOf('Reply flood')).toHaveAttribute('data-faded');
    expect(await rowOf('Camera hard stop')).not.toHaveAttribute('data-faded');
  });

  test('offers targets, period and flow ID as columns', async () => {
    const { user } = showRules();
    await screen.findByText('2 of 3 failed');
    expect(screen.queryByRole('columnheader', { name: 'Targets' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    for (const name of ['Targets', 'Active from', 'Active until', 'Flow ID'])
      await user.click(await screen.findByRole('checkbox', { name }));
    const row = screen.getByText('Camera hard stop').closest('tr');
    for (const text of ['Fleet desk', 'immediately', 'never', '7'])
      expect(within(row as HTMLElement).getByText(text)).toBeInTheDocument();
  });

  test('is read-only without write permission', async () => {
    signedInAs('operator', { permissionsInfo: { operator: { 'autoflow-cube': ['read'] } } });
    const { user } = showRules();
    expect(await screen.findByRole('switch')).toBeDisabled();
    expect(screen.queryByText('New rule')).not.toBeInTheDocument();
    await user.click(await screen.findByText('≤ 2 GB'));
    expect(await screen.findByText(/set it to 34 GB/)).not.toHaveAttribute('href');
  });
});
