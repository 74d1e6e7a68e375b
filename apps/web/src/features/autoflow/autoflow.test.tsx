import type { Why } from '@simcube/contract/autoflow';
import { useLocation } from '@tanstack/react-router';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { stringifySearch } from '../../lib/search-params/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import { at, gigabyte, iccid, replay, rule, run, why } from '../../testing/rule-examples.ts';
import { RuleScreen } from './detail/rule.screen.tsx';
import { EditorScreen } from './editor/editor.screen.tsx';
import { RulesScreen } from './list/rules.screen.tsx';
import {
  type EditorSearch,
  editorSearch,
  type RuleSearch,
  type RulesSearch,
  ruleSearch,
  rulesSearch,
} from './search.ts';

const gateway = stubGateway();
const base = '/rule-engine/auto_flow/cube';
const Rules = () => <RulesScreen {...useAddress(rulesSearch)} />;
const Editor = () => <EditorScreen {...useAddress(editorSearch)} />;
const Rule = () => <RuleScreen {...useAddress(ruleSearch)} />;
const Leavable = () => {
  const { pathname } = useLocation();
  return pathname === '/' ? <Editor /> : null;
};
const showRules = (search: RulesSearch = {}) => renderScreen(<Rules />, `/${stringifySearch(search)}`);
const showEditor = (search: EditorSearch = {}) => renderScreen(<Editor />, `/${stringifySearch(search)}`);
const showRule = (search: RuleSearch) => renderScreen(<Rule />, `/${stringifySearch(search)}`);
const sentTo = (method: string, path: string) =>
  gateway.sent.filter((one) => one.method === method && one.path === path);
const askedOf = (method: string, path: string) => Object.fromEntries(sentTo(method, path)[0]?.query ?? []);

beforeEach(() => {
  signedInAs('admin');
  gateway.respond(`GET ${base}/rules`, () => success([rule], { total_count: 1 }));
  gateway.respond(`GET ${base}/rules/count`, () => success({ rules: 1, maximum: 50 }));
  gateway.respond(`GET ${base}/rules/summary`, () =>
    success({
      rules: 1,
      enabled: 1,
      disabled: 0,
      failing: 1,
      firings: 14,
      actions: 28,
      failed: 2,
    }),
  );
  gateway.respond(`POST ${base}/rules/overshoot`, () =>
    success([
      {
        rule_id: '7',
        threshold: { unit: 'GB', amount: 36 },
        sims: 92,
        measured_sims: 92,
        interval_s: 300,
        delay_s: 4.8,
        fastest_bps: 48_000_000,
        typical_bytes: gigabyte,
        worst_bytes: 2 * gigabyte,
        seen_bytes: gigabyte,
        safer: { unit: 'GB', amount: 34 },
      },
    ]),
  );
  gateway.respond(`GET ${base}/rules/7/detail`, () => success(rule));
  gateway.respond(`GET ${base}/triggers/all`, () =>
    success(
      ['data-usage', 'silent'].map((kind) => ({
        kind,
        number: 11,
        name: kind,
        periods: [],
        bounds: [],
        actions: [],
        fields: [],
      })),
    ),
  );
  gateway.respond(`POST ${base}/scopes/validate`, () => success({ sims: 92, errors: [], wrong_rows: 0 }));
  gateway.respond(`GET ${base}/templates`, () => success([], { total_count: 0 }));
  gateway.respond('POST /cube/sim/tags/list', () => success([{ tag: 'camera', sims: 92 }]));
  gateway.respond(`GET ${base}/targets`, () =>
    success([{ id: '4', kind: 'email', name: 'Fleet desk', addresses: 1, url: null }]),
  );
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
    await user.click(await screen.findByRole('switch', { name: 'Camera hard stop is on' }));
    await waitFor(() => expect(sentTo('PUT', `${base}/rules/7/disabled`)).toHaveLength(1));
    await user.click(screen.getByLabelText('Actions for Camera hard stop'));
    await user.click(await screen.findByText('Remove'));
    const question = (
      await screen.findByText('Remove Camera hard stop?', { selector: '.ant-modal-confirm-title' })
    ).closest('.ant-modal');
    expect(sentTo('DELETE', `${base}/rules/7`)).toEqual([]);
    await user.click(within(question as HTMLElement).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(sentTo('DELETE', `${base}/rules/7`)).toHaveLength(1));
  });

  test('is read-only without write permission', async () => {
    signedInAs('operator', { permissionsInfo: { operator: { 'autoflow-cube': ['read'] } } });
    showRules();
    expect(await screen.findByRole('switch')).toBeDisabled();
    expect(screen.queryByText('New rule')).not.toBeInTheDocument();
  });
});

describe('the rule editor', () => {
  test('reports missing fields, and sends nothing until it is complete', async () => {
    gateway.respond(`POST ${base}/rules`, () => success(rule));
    const { user, history } = showEditor();
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findAllByText('This field is required')).not.toHaveLength(0);
    expect(sentTo('POST', `${base}/rules`)).toEqual([]);
    await user.type(screen.getByLabelText('Name'), 'Fleet over 80');
    await user.click(screen.getByRole('button', { name: '+ Action' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Mail to a group' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(history.location.pathname).toBe('/en-US/trigger'));
    expect(sentTo('POST', `${base}/rules`)[0]?.body).toEqual({
      name: 'Fleet over 80',
      enabled: true,
      trigger: { kind: 'data-usage', period: 'cycle', threshold: { unit: '%', amount: 80 } },
      scope: { kind: 'all' },
      actions: [{ kind: 'mail', group_id: '4', template_id: null }],
      active_from: null,
      active_until: null,
      group_minutes: null,
    });
  });

  test('sends the version that was edited, and keeps the input after a conflict', async () => {
    gateway.respond(`PUT ${base}/rules`, () =>
      errorResponse({ http: 409, code: 'CB-05-0012', message: 'Changed' }),
    );
    const { user, history } = showEditor({ id: '7' });
    const name = await screen.findByLabelText('Name');
    await user.clear(name);
    await user.type(name, 'Camera stop');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sentTo('PUT', `${base}/rules`)).toHaveLength(1));
    expect(sentTo('PUT', `${base}/rules`)[0]?.body).toMatchObject({
      ruleId: '7',
      version: 3,
      name: 'Camera stop',
      scope: { kind: 'tags', tags: ['camera'] },
    });
    expect(history.location.pathname).not.toContain('trigger');
    expect(name).toHaveValue('Camera stop');
  });

  test('starts with the threshold in the URL, and saves it', async () => {
    gateway.respond(`PUT ${base}/rules`, () => success(rule));
    const { user } = showEditor({ id: '7', threshold: '34GB' });
    expect(await screen.findByLabelText('Threshold')).toHaveValue('34');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sentTo('PUT', `${base}/rules`)[0]?.body).toMatchObject({
        trigger: { kind: 'data-usage', period: 'cycle', threshold: { unit: 'GB', amount: 34 } },
      }),
    );
  });

  test('names the rule’s targets without permission to change rules', async () => {
    signedInAs('operator', { permissionsInfo: { operator: { 'autoflow-cube': ['read'] } } });
    showEditor({ id: '7' });
    expect(await screen.findByText('Fleet desk · 4 addresses')).toBeInTheDocument();
  });

  test('shows why targets could not be fetched, and retries on demand', async () => {
    const targets = `GET ${base}/targets`;
    gateway.respond(targets, () =>
      errorResponse({ code: 'CB-99-0403', http: 403, message: 'Permission denied' }),
    );
    const { user } = showEditor();
    expect(await screen.findByText('Permission denied')).toBeInTheDocument();
    gateway.respond(targets, () => success([]));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText('Permission denied')).toBeNull());
  });

  test('offers only operations for which the person has permission', async () => {
    signedInAs('operator', {
      permissionsInfo: { operator: { 'autoflow-cube': ['all'], sim: ['read', 'operate'] } },
    });
    const { user } = showEditor();
    await user.click(await screen.findByRole('button', { name: '+ Action' }));
    const offered = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
    expect(offered).toEqual(
      expect.arrayContaining(['Data off', 'Slow data', 'Suspend A2P MT SMS', 'Suspend SIM']),
    );
    for (const other of ['Terminate order', 'Add tag']) expect(offered).not.toContain(other);
  });

  test('says why it is disabled without write permission', async () => {
    signedInAs('operator', { permissionsInfo: { operator: { 'autoflow-cube': ['read'] } } });
    showEditor();
    expect(await screen.findByText(/^Your role has no permission to change rules/)).toBeInTheDocument();
  });

  test('moves the focus from a removed action to adding another', async () => {
    const { user } = showEditor({ id: '7' });
    await user.click(await screen.findByRole('button', { name: 'Remove action Mail to a group' }));
    expect(screen.getByRole('button', { name: '+ Action' })).toHaveFocus();
  });

  test('stops a running replay when the page is left', async () => {
    gateway.respond(`POST ${base}/replays`, () => success(replay));
    gateway.respond(`GET ${base}/replays/5`, () => success(replay));
    gateway.respond(`DELETE ${base}/replays/5`, () => success(null));
    const { user, history } = renderScreen(<Leavable />, '/?id=7');
    await user.click(await screen.findByRole('button', { name: 'Replay' }));
    await screen.findByText('40 of 92 SIMs');
    expect(sentTo('DELETE', `${base}/replays/5`)).toEqual([]);
    history.push('/elsewhere');
    await waitFor(() => expect(sentTo('DELETE', `${base}/replays/5`)).toHaveLength(1));
  });

  test('disables the replay of a trigger without stored history, and shows why', async () => {
    gateway.respond(`GET ${base}/rules/7/detail`, () =>
      success({ ...rule, trigger: { kind: 'silent', hours: 48 } }),
    );
    showEditor({ id: '7' });
    const why = 'Rules on this trigger cannot be replayed: only the current state of SIMs is stored.';
    expect(await screen.findByText(why)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Replay' })).toBeDisabled();
  });

  test('replays the draft in comparison with the rule, and shows the firings', async () => {
    let looks = 0;
    gateway.respond(`POST ${base}/replays`, () => success(replay));
    gateway.respond(`GET ${base}/replays/5`, () => {
      looks += 1;
      return success(
        looks < 2
          ? replay
          : {
              ...replay,
              ...{ state: 'done', took_ms: 1400, listed: 1 },
              ...{ firings: 312, sims: 187, overage: [{ currency: 'EUR', amount_minor: 21_400 }] },
              days: [{ day: '2026-11-22', count: 312, former: 300 }],
              former: { firings: 300, sims: 180, version: 3, overage: [] },
            },
      );
    });
    gateway.respond(`GET ${base}/replays/5/firings`, () =>
      success([{ iccid, at, measured: run.measured }], { total_count: 1 }),
    );
    const { user } = showEditor({ id: '7' });
    await user.click(await screen.findByRole('button', { name: 'Replay' }));
    expect(await screen.findByText('40 of 92 SIMs')).toBeInTheDocument();
    expect(await screen.findByText('187', {}, { timeout: 3000 })).toBeInTheDocument();
    expect(screen.getByText('version 3: 300')).toBeInTheDocument();
    expect(screen.getByText('€214.00')).toBeInTheDocument();
    expect(screen.getByText('version 3: no tariff')).toBeInTheDocument();
    expect(screen.getByText('2,100 records in 1.4 s')).toBeInTheDocument();
    expect(await screen.findByText('37 GB / 36 GB')).toBeInTheDocument();
    expect(sentTo('POST', `${base}/replays`)[0]?.body).toMatchObject({ ruleId: '7' });
    expect(looks).toBe(2);
  });
});

describe('the rule page', () => {
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
    const button = await screen.findByRole('button', { name });
    gateway.respond(`GET ${base}/rules/7/detail`, gone);
    await user.click(button);
    const question = name === 'Remove' ? await screen.findByRole('dialog') : undefined;
    if (question) await user.click(within(question).getByRole('button', { name }));
    expect(await screen.findByText('This rule does not exist')).toBeInTheDocument();
  });
});
