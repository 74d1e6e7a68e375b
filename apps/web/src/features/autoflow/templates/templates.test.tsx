import type { AutoflowTemplate, TryResponse } from '@simcube/contract/autoflow';
import { useLocation } from '@tanstack/react-router';
import { renderHook, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { useToasts } from '../../../lib/toast/index.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { emptyDraft } from '../editor/draft.ts';
import { type TemplateSearch, templateSearch } from '../search.ts';
import { RuleTryOut } from '../try-out/rule-try-out.tsx';
import { TemplatesScreen } from './templates.screen.tsx';
import { useAllTemplates } from './use-templates.ts';

const gateway = stubGateway();
const base = '/rule-engine/auto_flow/cube';
const at = '2026-11-22T13:58:21.000Z';
const iccid = '89340700000023553065';

const template: AutoflowTemplate = {
  id: '3',
  version: 4,
  name: 'Night desk',
  texts: { 'en-US': { subject: 'Look at {{iccid}}', text: 'It used {{value}}.', sms: '{{iccid}}' } },
  rules: 2,
  updated_at: at,
};
const previewResponse: TryResponse = {
  messages: (['en-US', 'es-ES'] as const).map((language) => ({
    language,
    subject: `Look at ${iccid} (${language})`,
    text: 'It used 3 GB.',
    sms: `SMS ${language}`,
  })),
  request: {
    type: 'autoflow.tried',
    timestamp: at,
    data: {
      rule_id: null,
      rule_name: 'Example',
      trigger: 'data-usage',
      sims: 1,
      firings: [],
      rule: 'Example',
      time: '2026-11-21 12:00 UTC',
      iccid,
      comparison: '',
    },
  },
};

const Templates = () => <TemplatesScreen {...useAddress(templateSearch)} />;
const show = (search: TemplateSearch = {}) => renderScreen(<Templates />, `/${stringifySearch(search)}`);
const sentTo = (method: string, path: string) =>
  gateway.sent.filter((one) => one.method === method && one.path === path);

const toasts = () => renderHook(() => useToasts()).result.current.map(({ text }) => text);

beforeEach(() => {
  signedInAs('admin');
  gateway.respond(`GET ${base}/templates`, () => success([template], { total_count: 1 }));
  gateway.respond(`GET ${base}/triggers/all`, () => success([]));
  gateway.respond(`POST ${base}/try_it_out/body`, () => success(previewResponse));
  gateway.respond('POST /cube/sim/list/es', () => success([{ iccid, device_name: 'Truck 7' }]));
  gateway.respond(`GET ${base}/targets`, () =>
    success([{ id: '4', kind: 'email', name: 'Fleet desk', addresses: 1, url: null }]),
  );
});

/** @returns a function that confirms */
const askToRemove = async (user: ReturnType<typeof show>['user']) => {
  await user.click(await screen.findByLabelText('Actions for Night desk'));
  await user.click(await screen.findByText('Remove'));
  const title = await screen.findByText('Remove Night desk?', { selector: '.ant-modal-confirm-title' });
  const question = title.closest('.ant-modal') as HTMLElement;
  return () => user.click(within(question).getByRole('button', { name: 'Remove' }));
};

describe('the template list', () => {
  test('shows subject, languages and number of rules of each template', async () => {
    show();
    expect(await screen.findByText('Night desk')).toHaveAttribute(
      'href',
      '/en-US/autoflow/templates?template=3',
    );
    expect(screen.getByText('Look at {{iccid}}')).toBeInTheDocument();
    expect(screen.getByText('English')).toBeInTheDocument();
    expect(screen.getByRole('row', { name: /Night desk/ })).toHaveTextContent(/English2/);
  });

  test('keeps a template that a rule uses, and shows the error', async () => {
    gateway.respond(`DELETE ${base}/templates/3`, () => errorResponse({ code: 'CB-05-0011', http: 409 }));
    const { user } = show();
    const agree = await askToRemove(user);
    await agree();
    await waitFor(() => expect(sentTo('DELETE', `${base}/templates/3`)).toHaveLength(1));
    await waitFor(() => expect(toasts()).toContain('said the server'));
    expect(await screen.findByText('Night desk')).toBeInTheDocument();
  });

  test('drops a template that another person has removed', async () => {
    gateway.respond(`DELETE ${base}/templates/3`, () => errorResponse({ code: 'CB-05-0008', http: 404 }));
    const { user } = show();
    const agree = await askToRemove(user);
    gateway.respond(`GET ${base}/templates`, () => success([], { total_count: 0 }));
    await agree();
    expect(await screen.findByText('No templates yet')).toBeInTheDocument();
  });

  test('is read-only without write permission', async () => {
    signedInAs('operator', { permissionsInfo: { operator: { 'autoflow-cube': ['read'] } } });
    show();
    await screen.findByText('Night desk');
    expect(screen.queryByText('New template')).not.toBeInTheDocument();
    expect(screen.queryByLabelText('Actions for Night desk')).not.toBeInTheDocument();
  });

  test('says why the form of one is disabled without write permission', async () => {
    signedInAs('operator', { permissionsInfo: { operator: { 'autoflow-cube': ['read'] } } });
    show({ template: '3' });
    expect(await screen.findByText(/^Your role has no permission to change rules/)).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Try it out' })).not.toBeInTheDocument();
  });
});

describe('a template', () => {
  test('accepts inserted fields, and is sent in the languages that have text', async () => {
    gateway.respond(`POST ${base}/templates`, () => success(template));
    const { user } = show({ template: 'new' });
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findAllByText('This field is required')).not.toHaveLength(0);
    await user.type(screen.getByLabelText('Name'), 'Night desk');
    await user.type(screen.getByLabelText('Subject'), 'About ');
    await user.click(screen.getByRole('button', { name: 'Insert the field iccid' }));
    expect(screen.getByLabelText('Subject')).toHaveValue('About {{iccid}}');
    await user.type(screen.getByLabelText('Mail'), 'Look at it.');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(sentTo('POST', `${base}/templates`)).toEqual([]);
    await user.type(screen.getByLabelText('SMS'), 'Look');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sentTo('POST', `${base}/templates`)).toHaveLength(1));
    expect(sentTo('POST', `${base}/templates`)[0]?.body).toEqual({
      name: 'Night desk',
      texts: { 'en-US': { subject: 'About {{iccid}}', text: 'Look at it.', sms: 'Look' } },
    });
  });

  test('starts as it is now, not as another page has shown it', async () => {
    const Name = () => <p>{useAllTemplates().data?.data[0]?.name}</p>;
    const Pages = () => (useLocation().pathname === '/' ? <Name /> : <Templates />);
    const { user, history } = renderScreen(<Pages />, '/');
    await screen.findByText('Night desk');
    gateway.respond(`GET ${base}/templates`, () =>
      success([{ ...template, version: 5, name: 'Renamed since' }], { total_count: 1 }),
    );
    gateway.respond(`PUT ${base}/templates`, () => success(template));
    history.push('/templates?template=3');
    expect(await screen.findByLabelText('Name')).toHaveValue('Renamed since');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sentTo('PUT', `${base}/templates`)[0]?.body).toMatchObject({ version: 5 }));
  });

  test('has an inserted field at the end of its mail, until another place is chosen', async () => {
    const { user } = show({ template: '3' });
    await user.click(await screen.findByRole('button', { name: 'Insert the field iccid' }));
    const mail = screen.getByLabelText('Mail', { selector: 'textarea' });
    expect(mail).toHaveValue('It used {{value}}.{{iccid}}');
  });

  test('that another person changed is sent with the version that was edited, and keeps the input', async () => {
    const { user } = show({ template: '3' });
    await user.type(await screen.findByLabelText('Subject'), '!');
    gateway.respond(`GET ${base}/templates`, () =>
      success([{ ...template, version: 5 }], { total_count: 1 }),
    );
    gateway.respond(`PUT ${base}/templates`, () =>
      errorResponse({ http: 409, code: 'CB-00-0409', message: 'Saved meanwhile' }),
    );
    window.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(sentTo('GET', `${base}/templates`)).toHaveLength(2));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Saved meanwhile');
    expect(sentTo('PUT', `${base}/templates`)[0]?.body).toMatchObject({ templateId: '3', version: 4 });
    expect(screen.getByLabelText('Subject')).toHaveValue('Look at {{iccid}}!');
  });

  test('reports the incomplete language, and shows it on request', async () => {
    const { user } = show({ template: '3' });
    await user.click(await screen.findByText('Español'));
    await user.type(screen.getByLabelText('Subject'), 'Atención');
    await user.click(screen.getByText('English'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Español is not finished.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Show' }));
    expect(screen.getByLabelText('Subject')).toHaveValue('Atención');
    expect(sentTo('PUT', `${base}/templates`)).toEqual([]);
  });

  test('rejects a field that does not exist', async () => {
    const { user } = show({ template: '3' });
    await user.type(await screen.findByLabelText('Subject'), ' {{{{price}}');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    expect(sentTo('PUT', `${base}/templates`)).toEqual([]);
  });

  test('that does not exist is reported', async () => {
    show({ template: '99' });
    expect(await screen.findByText('This template does not exist')).toBeInTheDocument();
  });

  test('that another person removed keeps the input, and shows the error when it is saved', async () => {
    const message = 'This template does not exist.';
    gateway.respond(`PUT ${base}/templates`, () => errorResponse({ code: 'CB-05-0008', http: 404, message }));
    const { user } = show({ template: '3' });
    const name = await screen.findByDisplayValue('Night desk');
    await user.type(name, ' of the north');
    gateway.respond(`GET ${base}/templates`, () => success([], { total_count: 0 }));
    window.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(sentTo('GET', `${base}/templates`).length).toBeGreaterThan(1));
    expect(screen.getByDisplayValue('Night desk of the north')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect(screen.getByDisplayValue('Night desk of the north')).toBeInTheDocument();
  });

  test('is previewed with the values of a SIM as mail, SMS and request, and sent once', async () => {
    gateway.respond(`POST ${base}/try_it_out/send`, () =>
      success({ notification_id: '8', channel: 'email' }),
    );
    const { user } = show({ template: '3' });
    const preview = await screen.findByRole('region', { name: 'What would be sent' });
    expect(preview).toHaveTextContent(`Look at ${iccid} (en-US)`);
    expect(sentTo('POST', `${base}/try_it_out/body`)[0]?.body).toEqual({
      name: 'Data usage',
      event: { kind: 'data-usage', period: 'cycle', threshold: { unit: '%', amount: 80 } },
      iccid,
      texts: template.texts,
    });
    await user.click(screen.getByText('ES'));
    expect(preview).toHaveTextContent('(es-ES)');
    await user.click(screen.getByText('SMS', { selector: '.ant-segmented-item-label' }));
    expect(preview).toHaveTextContent('SMS es-ES');
    await user.click(screen.getByText('POST'));
    expect(screen.getByRole('region', { name: 'What would be sent' })).toHaveTextContent('autoflow.tried');
    await user.click(screen.getByLabelText('Send it to'));
    await user.click(await screen.findByText('Mail · Fleet desk · 1 address'));
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(sentTo('POST', `${base}/try_it_out/send`)).toHaveLength(1));
    expect(sentTo('POST', `${base}/try_it_out/send`)[0]?.body).toMatchObject({ iccid, group_id: '4' });
  });
});

describe('the preview of a rule', () => {
  test('uses the template of its first action that has one', async () => {
    const mail = { kind: 'mail', group_id: '4', template_id: '3' } as const;
    renderScreen(<RuleTryOut draft={{ ...emptyDraft, name: 'Fleet', actions: [mail] }} />);
    await screen.findByRole('region', { name: 'What would be sent' });
    expect(sentTo('POST', `${base}/try_it_out/body`).at(-1)?.body).toMatchObject({
      name: 'Fleet',
      template_id: '3',
    });
  });

  test('requires a complete trigger', async () => {
    renderScreen(<RuleTryOut draft={{ ...emptyDraft, amount: null }} />);
    expect(await screen.findByText('Complete the trigger to see what would be sent.')).toBeInTheDocument();
    expect(sentTo('POST', `${base}/try_it_out/body`)).toEqual([]);
  });
});
