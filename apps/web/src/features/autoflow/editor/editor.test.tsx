import type { Replay } from '@simcube/contract/autoflow';
import { useLocation } from '@tanstack/react-router';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { setTimeDisplay } from '../../../lib/time/index.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { at, iccid, replay, rule, run } from '../../../testing/rule-examples.ts';
import { respondWithRule, rulesPath } from '../../../testing/rule-responses.ts';
import { type EditorSearch, editorSearch } from '../search.ts';
import { useRule } from '../use-rules.ts';
import { EditorScreen } from './editor.screen.tsx';

const gateway = stubGateway();
const base = rulesPath;
const Editor = () => <EditorScreen {...useAddress(editorSearch)} />;
const Leavable = () => {
  const { pathname } = useLocation();
  return pathname === '/' ? <Editor /> : null;
};
const showEditor = (search: EditorSearch = {}) => renderScreen(<Editor />, `/${stringifySearch(search)}`);
const sentTo = (method: string, path: string) =>
  gateway.sent.filter((one) => one.method === method && one.path === path);

afterEach(() => vi.useRealTimers());
beforeEach(() => {
  signedInAs('admin');
  respondWithRule(gateway);
});

describe('the rule editor', () => {
  test('reports missing fields, and sends nothing until it is complete', async () => {
    gateway.respond(`POST ${base}/rules`, () => success(rule));
    const { user, history } = showEditor();
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findAllByText('This field is required')).not.toHaveLength(0);
    expect(screen.getByText('Add at least one action.')).toBeVisible();
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

  test.each([
    ['unchanged', { opened: false, isSwitched: false, current: false, sent: false }],
    ['disabled by another person', { opened: true, isSwitched: false, current: false, sent: false }],
    ['enabled by another person', { opened: false, isSwitched: false, current: true, sent: true }],
    ['switched here', { opened: false, isSwitched: true, current: false, sent: true }],
  ])('always sends the state: %s', async (_, { opened, isSwitched, current, sent }) => {
    const respondWithState = (enabled: boolean) =>
      gateway.respond(`GET ${base}/rules/7/detail`, () => success({ ...rule, enabled }));
    gateway.respond(`PUT ${base}/rules`, () => success(rule));
    respondWithState(opened);
    const { user } = showEditor({ id: '7' });
    const enabled = await screen.findByRole('switch', { name: 'Enabled' });
    if (isSwitched) await user.click(enabled);
    respondWithState(current);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sentTo('PUT', `${base}/rules`)[0]?.body).toMatchObject({ enabled: sent }));
  });

  test('starts with the rule as it is now, not as another page has shown it', async () => {
    const Name = () => <p>{useRule('7').data?.data.name}</p>;
    const Pages = () => (useLocation().pathname === '/' ? <Name /> : <Editor />);
    const { history } = renderScreen(<Pages />, '/?id=7');
    await screen.findByText(rule.name);
    gateway.respond(`GET ${base}/rules/7/detail`, () => success({ ...rule, name: 'Renamed since' }));
    history.push('/edit?id=7');
    expect(await screen.findByLabelText('Name')).toHaveValue('Renamed since');
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

  test('says why it is disabled without write permission, and offers nothing that changes the rule', async () => {
    signedInAs('operator', { permissionsInfo: { operator: { 'autoflow-cube': ['read'] } } });
    showEditor({ id: '7', threshold: '34GB' });
    expect(await screen.findByText(/^Your role has no permission to change rules/)).toBeInTheDocument();
    expect(screen.getByLabelText('Threshold')).toHaveValue('36');
    expect(screen.queryByRole('button', { name: 'Try it out' })).not.toBeInTheDocument();
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

  test('reports that a replay was replaced by another one, and asks for it no longer', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const message = 'The replay was replaced.';
    gateway.respond(`POST ${base}/replays`, () => success(replay));
    gateway.respond(`GET ${base}/replays/5`, () => errorResponse({ http: 404, code: 'CB-05-0017', message }));
    const { user } = showEditor({ id: '7' });
    await user.click(await screen.findByRole('button', { name: 'Replay' }));
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(screen.queryByText('40 of 92 SIMs')).not.toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(sentTo('GET', `${base}/replays/5`)).toHaveLength(1);
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
    // Days of a replay are those of UTC, also in a local time zone in which they begin on the day before.
    vi.stubEnv('TZ', 'America/Bogota');
    setTimeDisplay('LOCAL');
    let looks = 0;
    gateway.respond(`POST ${base}/replays`, () => success(replay));
    gateway.respond(`GET ${base}/replays/5`, () => {
      looks += 1;
      return success(
        looks < 2
          ? replay
          : {
              ...replay,
              state: 'done',
              took_ms: 1400,
              listed: 1,
              firings: 312,
              sims: 187,
              overage: [{ currency: 'EUR', amount_minor: 21_400 }],
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
    expect(screen.getByRole('row', { name: 'Nov 22 (so far) 312' })).toBeInTheDocument();
    vi.unstubAllEnvs();
    expect(screen.getByText('€214.00')).toBeInTheDocument();
    expect(screen.getByText('version 3: no tariff')).toBeInTheDocument();
    expect(screen.getByText('2,100 records in 1.4 s')).toBeInTheDocument();
    expect(await screen.findByText('37 GB / 36 GB')).toBeInTheDocument();
    expect(sentTo('POST', `${base}/replays`)[0]?.body).toMatchObject({ ruleId: '7' });
    expect(looks).toBe(2);
  });

  test('lists the first firings of a replay, loads more, and retries after a failure', async () => {
    const done: Replay = { ...replay, state: 'done', took_ms: 1400, firings: 312, sims: 2, listed: 2 };
    const firings = `GET ${base}/replays/5/firings`;
    const firingOf = (last: string) => ({ iccid: `8934070000002355306${last}`, at, measured: run.measured });
    gateway.respond(`POST ${base}/replays`, () => success(done));
    gateway.respond(`GET ${base}/replays/5`, () => success(done));
    gateway.respond(firings, () => errorResponse({ http: 400, code: 'CB-00-0400', message: 'Not now' }));
    const { user } = showEditor({ id: '7' });
    await user.click(await screen.findByRole('button', { name: 'Replay' }));
    expect(await screen.findByText('Not now')).toBeInTheDocument();
    gateway.respond(firings, ({ query }) =>
      query.has('cursor')
        ? success([firingOf('2')], { total_count: 2 })
        : success([firingOf('1')], { total_count: 2, next_cursor: 'c2' }),
    );
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('First 1 of 312')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('First 2 of 312')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
    const links = screen.getAllByRole('link', { name: /^8934/ });
    expect(links).toHaveLength(2);
    expect(links[1]).toHaveFocus();
  });

  test('names the time zone of the period', async () => {
    showEditor({ id: '7' });
    const field = await screen.findByLabelText('Active until');
    expect(field.parentElement).toHaveTextContent('UTC');
    act(() => setTimeDisplay('LOCAL'));
    expect(field.parentElement).toHaveTextContent('Local');
  });

  test('labels the states of a status change', async () => {
    gateway.respond(`GET ${base}/rules/7/detail`, () =>
      success({ ...rule, trigger: { kind: 'status-change', from: 'active', to: ['paused'] } }),
    );
    showEditor({ id: '7' });
    for (const name of ['From', 'To']) {
      const field = await screen.findByRole('combobox', { name });
      expect(screen.getByText(name, { selector: 'label' }).parentElement).toContainElement(field);
    }
  });
});
