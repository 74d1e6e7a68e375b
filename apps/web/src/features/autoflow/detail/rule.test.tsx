import { headers } from '@simcube/contract';
import type { Why } from '@simcube/contract/autoflow';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { at, iccid, rule, run, why } from '../../../testing/rule-examples.ts';
import { respondWithRule, rulesPath } from '../../../testing/rule-responses.ts';
import { type RuleSearch, ruleSearch } from '../search.ts';
import { RuleScreen } from './rule.screen.tsx';

const gateway = stubGateway();
const base = rulesPath;
const Rule = () => <RuleScreen {...useAddress(ruleSearch)} />;
const showRule = (search: RuleSearch) => renderScreen(<Rule />, `/${stringifySearch(search)}`);
const sentTo = (method: string, path: string) =>
  gateway.sent.filter((one) => one.method === method && one.path === path);
const askedOf = (method: string, path: string) => Object.fromEntries(sentTo(method, path)[0]?.query ?? []);

afterEach(() => vi.useRealTimers());
beforeEach(() => {
  signedInAs('admin');
  respondWithRule(gateway);
});

describe('the rule page', () => {
  /** The description of a term. */
  const descriptionOf = (term: string) => screen.getByText(term, { selector: 'dt' }).nextElementSibling;

  test('describes every part of the rule, also to people who may not change it', async () => {
    signedInAs('operator', { permissionsInfo: { operator: { 'autoflow-cube': ['read'] } } });
    gateway.respond(`GET ${base}/rules/7/detail`, () =>
      success({
        ...rule,
        active_from: '2026-12-01T08:00:00.000Z',
        group_minutes: 15,
        actions: [{ kind: 'data-off' }, { kind: 'mail', group_id: '4', template_id: '3' }],
      }),
    );
    gateway.respond(`GET ${base}/templates`, () => success([{ id: '3', name: 'Night shift' }]));
    showRule({ id: '7' });
    expect(await screen.findByRole('tab', { name: 'Rule', selected: true })).toBeInTheDocument();
    expect(descriptionOf('Event trigger')).toHaveTextContent('Data usage reaches 36 GB in the bundle cycle');
    expect(descriptionOf('Fires')).toHaveTextContent('Once for each SIM and bundle cycle');
    expect(descriptionOf('Scope')).toHaveTextContent('camera · Tags');
    expect(descriptionOf('SIMs')).toHaveTextContent('92 SIMs');
    expect(descriptionOf('Actions')).toHaveTextContent('Data off');
    expect(descriptionOf('Actions')).toHaveTextContent('Mail to a group: Fleet desk · 4 addresses');
    expect(await screen.findByText(/Template: Night shift/)).toBeInTheDocument();
    expect(descriptionOf('Combine firings into one message for')).toHaveTextContent('15 minutes');
    expect(descriptionOf('Active from')).toHaveTextContent('Dec 1, 2026, 08:00');
    expect(descriptionOf('Active until')).toHaveTextContent('never');
    expect(descriptionOf('Flow ID')).toHaveTextContent('7');
    expect(screen.getByRole('button', { name: 'Copy Flow ID' })).toBeInTheDocument();
    expect(descriptionOf('Created')).toHaveTextContent('Nov 22, 2026, 13:58');
    expect(descriptionOf('Created by')).toHaveTextContent('Ada Marsh');
  });

  test('names the file of an uploaded list, and a target that was removed', async () => {
    gateway.respond(`GET ${base}/rules/7/detail`, () =>
      success({
        ...rule,
        trigger: { kind: 'imei-change', to: 'unlisted', list_id: '2' },
        scope: { kind: 'uploaded', list_id: '1' },
        scope_list: { name: 'lyon.csv', rows: 340, digest: null },
        imei_list: { name: 'imeis.csv', rows: 1200, digest: null },
        targets: [null, null],
      }),
    );
    showRule({ id: '7' });
    expect(await screen.findByText('lyon.csv · 340 rows')).toBeInTheDocument();
    expect(descriptionOf('Allowed IMEIs')).toHaveTextContent('imeis.csv · 1,200 rows');
    expect(descriptionOf('Actions')).toHaveTextContent('Mail to a group: removed target');
  });

  test('shows firings and states as they change', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    showRule({ id: '7' });
    expect(await screen.findByRole('tab', { name: /^Run history/ })).toHaveTextContent('14');
    gateway.respond(`GET ${base}/rules/7/detail`, () =>
      success({ ...rule, enabled: false, fired: { ...rule.fired, total: 15 } }),
    );
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(await screen.findByRole('button', { name: 'Enable' })).toBeInTheDocument();
    expect(screen.getByRole('tab', { name: /^Run history/ })).toHaveTextContent('15');
  });

  test('sends who removes the rule, and from where', async () => {
    gateway.respond(`DELETE ${base}/rules/7`, () => success(null));
    const { user } = showRule({ id: '7' });
    await user.click(await screen.findByRole('button', { name: 'Actions for Camera hard stop' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Remove' }));
    const question = await screen.findByRole('dialog');
    await user.click(within(question).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(sentTo('DELETE', `${base}/rules/7`)).toHaveLength(1));
    const removal = sentTo('DELETE', `${base}/rules/7`)[0]?.headers;
    expect(removal?.get(headers.operatorEmail)).toBe('ana@acme.example');
    expect(removal?.get(headers.scene)).toBe('detail');
  });

  test('limits the run history to a period, and that of all rules to one rule', async () => {
    gateway.respond(`GET ${base}/trigger_actions`, () => success([run], { total_count: 1 }));
    const period = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T23:59:59.999Z' };
    showRule({ ...period, rule: '7' });
    await screen.findByText('37 GB / 36 GB');
    // The server's end is exclusive.
    expect(askedOf('GET', `${base}/trigger_actions`)).toMatchObject({
      from: '2026-11-20T00:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
      ruleId: '7',
    });
    expect(screen.getByRole('button', { name: /Rule.*Camera hard stop/ })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: /Nov 20, 2026 – Nov 21, 2026/ })).toBeInTheDocument();
  });

  test('lists firings with the measured value, and why actions failed', async () => {
    gateway.respond(`GET ${base}/rules/7/trigger_actions`, () => success([run], { total_count: 1 }));
    showRule({ id: '7', state: 'failed' });
    expect(await screen.findByText('37 GB / 36 GB')).toBeInTheDocument();
    expect(screen.getByText('Night watch')).toBeInTheDocument();
    expect(screen.getByText('The SIM was not found')).toBeInTheDocument();
    expect(screen.getByText('Not delivered')).toBeInTheDocument();
    expect(askedOf('GET', `${base}/rules/7/trigger_actions`)).toMatchObject({ state: 'failed' });
  });

  test('links each firing to its rule when it shows all rules', async () => {
    gateway.respond(`GET ${base}/trigger_actions`, () => success([run], { total_count: 1 }));
    showRule({});
    expect((await screen.findByText('Camera hard stop')).closest('a')).toHaveAttribute(
      'href',
      '/en-US/trigger?id=7',
    );
  });

  test('shows the states before and after a status change', async () => {
    const measured = { value: 'active', threshold: 'paused', unit: null, since: null };
    gateway.respond(`GET ${base}/trigger_actions`, () =>
      success([{ ...run, trigger: 'status-change', measured }], { total_count: 1 }),
    );
    showRule({});
    expect(await screen.findByText('Active → Paused')).toBeInTheDocument();
  });

  test('explains why the SIM in the URL did not fire the rule', async () => {
    gateway.respond(`GET ${base}/rules/7/sims`, () =>
      success([{ iccid, device_name: 'Camera 1', lifecycle: 'active', imeis: null, last_fired_at: null }], {
        total_count: 1,
      }),
    );
    gateway.respond(`GET ${base}/rules/7/why`, () => success(why));
    showRule({ id: '7', tab: 'sims', why: iccid });
    expect(await screen.findByText('It is waiting for the condition')).toBeInTheDocument();
    expect(screen.getByText(/12 GB · compared with 36 GB/)).toBeInTheDocument();
  });

  test('explains tags and lists verbatim, and product types in the console’s words', async () => {
    gateway.respond(`GET ${base}/rules/7/sims`, () => success([], { total_count: 0 }));
    const inScope = { check: 'in-scope', met: false, at: null } as const;
    const answerWith = (comparison: Pick<Why['comparisons'][number], 'value' | 'wanted' | 'unit'>) =>
      gateway.respond(`GET ${base}/rules/7/why`, () =>
        success({ ...why, comparisons: [{ ...inScope, ...comparison }] }),
      );
    answerWith({ value: 'ES, active', wanted: 'DE', unit: null });
    showRule({ id: '7', tab: 'sims', why: iccid });
    expect(await screen.findByText('Not met · ES, active · compared with DE')).toBeInTheDocument();
    cleanup();
    answerWith({ value: 'test plan', wanted: 'prepaid basic', unit: 'product type' });
    showRule({ id: '7', tab: 'sims', why: iccid });
    expect(await screen.findByText(/compared with prepaid basic/i)).toBeInTheDocument();
  });

  test('describes changes in words, field by field', async () => {
    const change = {
      number: 3,
      at,
      action: 'autoflow.changed',
      actor: { kind: 'user', name: 'Ada Marsh' },
      before: { trigger: { kind: 'silent', hours: 24 }, group_minutes: 5 },
      after: { trigger: rule.trigger, group_minutes: null },
    };
    gateway.respond(`GET ${base}/rules/7/change_records`, () => success([change], { total_count: 1 }));
    showRule({ id: '7', tab: 'changes' });
    expect(
      await screen.findByText(
        'Event trigger: Silent for 24 hours → Data usage reaches 36 GB in the bundle cycle; Combine firings into one message for: 5 → —',
      ),
    ).toBeInTheDocument();
  });

  test('has its main action last, after the menu', async () => {
    showRule({ id: '7' });
    const menu = await screen.findByRole('button', { name: 'Actions for Camera hard stop' });
    expect(menu.nextElementSibling).toBe(screen.getByRole('button', { name: 'Edit' }));
  });

  test('reports a rule that does not exist', async () => {
    gateway.respond(`GET ${base}/rules/8/detail`, () =>
      errorResponse({ http: 404, code: 'CB-05-0002', message: 'Not found' }),
    );
    showRule({ id: '8' });
    expect(await screen.findByText('This rule does not exist')).toBeInTheDocument();
  });

  test.each(['Remove', 'Disable'])('reports a rule that another person has removed: %s', async (name) => {
    const gone = () => errorResponse({ code: 'CB-05-0002', http: 404 });
    gateway.respond(`DELETE ${base}/rules/7`, gone);
    gateway.respond(`PUT ${base}/rules/7/disabled`, gone);
    const { user } = showRule({ id: '7' });
    if (name === 'Remove')
      await user.click(await screen.findByRole('button', { name: 'Actions for Camera hard stop' }));
    const action = await screen.findByRole(name === 'Remove' ? 'menuitem' : 'button', { name });
    gateway.respond(`GET ${base}/rules/7/detail`, gone);
    await user.click(action);
    const question = name === 'Remove' ? await screen.findByRole('dialog') : undefined;
    if (question) await user.click(within(question).getByRole('button', { name }));
    expect(await screen.findByText('This rule does not exist')).toBeInTheDocument();
  });
});
