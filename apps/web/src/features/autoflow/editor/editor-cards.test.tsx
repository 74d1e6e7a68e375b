import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { rule } from '../../../testing/rule-examples.ts';
import { respondWithRule, rulesPath } from '../../../testing/rule-responses.ts';
import { editorSearch } from '../search.ts';
import { EditorScreen } from './editor.screen.tsx';

const gateway = stubGateway();
const base = rulesPath;
const detail = `GET ${base}/rules/7/detail`;
const Editor = () => <EditorScreen {...useAddress(editorSearch)} />;
const showRule = () => renderScreen(<Editor />, `/${stringifySearch({ id: '7' })}`);
const savedRules = () =>
  gateway.sent.filter(({ method, path }) => method === 'PUT' && path.endsWith('/rules'));

beforeEach(() => {
  signedInAs('admin');
  respondWithRule(gateway);
});

test('a cost threshold keeps its amount in another currency', async () => {
  gateway.respond(detail, () =>
    success({ ...rule, trigger: { kind: 'cost', currency: 'EUR', amount_minor: 1000 } }),
  );
  gateway.respond(`PUT ${base}/rules`, () => success(rule));
  const { user } = showRule();
  const currency = await screen.findByLabelText('Currency');
  const amount = screen.getByLabelText('Threshold');
  for (const [code, shown] of [
    ['KWD', '10.000'],
    ['JPY', '10'],
  ] as const) {
    await user.clear(currency);
    await user.type(currency, code);
    expect(amount).toHaveValue(shown);
  }
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(savedRules()[0]?.body).toMatchObject({ trigger: { currency: 'JPY', amount_minor: 10 } }),
  );
});

test.each([
  ['9999', 'Must be at most 1024'],
  ['-5', 'Must be at least 1'],
])('a threshold of %s stays as typed, with its bound', async (typed, message) => {
  const { user } = showRule();
  const amount = await screen.findByLabelText('Threshold');
  await user.clear(amount);
  await user.type(amount, typed);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(amount).toHaveValue(typed);
  expect(amount).toBeInvalid();
  expect(savedRules()).toEqual([]);
});

test('the bound of a cost is in the unit of the field', async () => {
  gateway.respond(detail, () =>
    success({ ...rule, trigger: { kind: 'cost', currency: 'EUR', amount_minor: 1000 } }),
  );
  const { user } = showRule();
  const amount = await screen.findByLabelText('Threshold');
  await user.clear(amount);
  await user.type(amount, '0');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Must be at least 0.01')).toBeInTheDocument();
});

test('an end before the start is reported at the end', async () => {
  const { user } = showRule();
  const from = await screen.findByLabelText('Active from');
  fireEvent.change(from, { target: { value: '2027-01-02T00:00' } });
  const until = screen.getByLabelText('Active until');
  fireEvent.change(until, { target: { value: '2027-01-01T00:00' } });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The end must not be before the start')).toBeInTheDocument();
  expect(until).toBeInvalid();
  expect(from).toBeValid();
});

test('a time that has passed is reported at its field', async () => {
  const { user } = showRule();
  const from = await screen.findByLabelText('Active from');
  fireEvent.change(from, { target: { value: '1900-01-01T00:00' } });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Choose a time that has not passed yet')).toBeInTheDocument();
  expect(from).toBeInvalid();
  await waitFor(() => expect(from).toHaveFocus());
  expect(savedRules()).toEqual([]);
});

test('times that the rule had before are saved, unless it is enabled after its end', async () => {
  const times = { active_from: '2020-01-01T00:00:00.000Z', active_until: '2020-02-01T00:00:00.000Z' };
  gateway.respond(detail, () => success({ ...rule, ...times, enabled: false }));
  gateway.respond(`PUT ${base}/rules`, () => success(rule));
  const { user } = showRule();
  const enabled = await screen.findByRole('switch', { name: 'Enabled' });
  await user.click(enabled);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByLabelText('Active until')).toBeInvalid());
  expect(screen.getByLabelText('Active from')).toBeValid();
  expect(savedRules()).toEqual([]);
  await user.click(enabled);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(savedRules()[0]?.body).toMatchObject(times));
});

test('an unknown currency is marked, not the amount', async () => {
  gateway.respond(detail, () =>
    success({ ...rule, trigger: { kind: 'cost', currency: 'EUR', amount_minor: 1000 } }),
  );
  const { user } = showRule();
  const currency = await screen.findByLabelText('Currency');
  await user.clear(currency);
  await user.type(currency, 'EUE');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('This value is not allowed')).toBeInTheDocument();
  expect(currency).toBeInvalid();
  expect(screen.getByLabelText('Threshold')).toBeValid();
});

test.each([
  ['Name', { http: 409, code: 'CB-05-0003' }],
  ['Active until', { http: 400, code: 'CB-05-0005', path: 'active_until' }],
])('what the server refuses is shown at its field until something is changed: %s', async (label, refusal) => {
  const { http, code } = refusal;
  const issues =
    'path' in refusal ? [{ path: refusal.path, key: 'timePassed' as const, message: 'Refused' }] : undefined;
  gateway.respond(`PUT ${base}/rules`, () =>
    errorResponse({ http, code, message: 'Refused', ...(issues && { issues }) }),
  );
  const { user } = showRule();
  const field = await screen.findByLabelText(label);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findAllByText('Refused')).toHaveLength(1);
  expect(field).toBeInvalid();
  await user.type(screen.getByLabelText('Name'), '!');
  expect(screen.queryByText('Refused')).not.toBeInTheDocument();
  expect(field).toBeValid();
});

describe('the number of SIMs in the scope', () => {
  test('does not depend on the trigger', async () => {
    const { user } = showRule();
    await user.clear(await screen.findByLabelText('Threshold'));
    await user.click(screen.getByRole('combobox', { name: 'Scope' }));
    gateway.respond(`POST ${base}/scopes/validate`, () => success({ sims: 340, errors: [], wrong_rows: 0 }));
    await user.click(await screen.findByTitle('All SIMs'));
    expect(await screen.findByText(/^340 SIMs/)).toBeInTheDocument();
  });

  test('that could not be fetched is requested again on demand', async () => {
    const validate = `POST ${base}/scopes/validate`;
    gateway.respond(validate, () => errorResponse({ http: 400, code: 'CB-00-0400', message: 'Not now' }));
    const { user } = showRule();
    expect(await screen.findByText('Not now')).toBeInTheDocument();
    gateway.respond(validate, () => success({ sims: 92, errors: [], wrong_rows: 0 }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(/^92 SIMs/)).toBeInTheDocument();
  });
});

describe('a list from a file', () => {
  const upload = { upload_id: 'a3bb189e-8bf9-4c1b-9d3b-1b1c1d1e1f10', digest: 'a'.repeat(64), rows: 2 };
  const listOf = (name: string) => new File(['iccid'], name);
  const showUploadedList = () => {
    gateway.respond(detail, () =>
      success({
        ...rule,
        scope: { kind: 'uploaded', list_id: '3' },
        scope_list: { name: 'lyon.csv', rows: 340, digest: null },
      }),
    );
    return showRule();
  };
  const fileInput = () => document.querySelector('input[type=file]') as HTMLInputElement;
  const respondToUpload = () =>
    gateway.respond(`POST ${base}/scopes/file/validate`, () =>
      success({ ...upload, errors: [], wrong_rows: 0 }),
    );

  test('is saved only after it was uploaded', async () => {
    let finish = (_: Response): void => undefined;
    gateway.respond(`POST ${base}/scopes/file/validate`, () => new Promise((resolve) => (finish = resolve)));
    const { user } = showUploadedList();
    await screen.findByText('lyon.csv');
    const save = screen.getByRole('button', { name: 'Save' });
    await user.upload(fileInput(), listOf('paris.csv'));
    await waitFor(() => expect(save).toBeDisabled());
    finish(success({ ...upload, errors: [], wrong_rows: 0 }));
    expect(await screen.findByText('paris.csv')).toBeInTheDocument();
    await waitFor(() => expect(save).toBeEnabled());
  });

  test('that was modified since is reported until another one is chosen', async () => {
    const text = 'The trigger file was modified. Please upload it again.';
    respondToUpload();
    const { user } = showUploadedList();
    await screen.findByText('lyon.csv');
    const modified = listOf('paris.csv');
    vi.spyOn(modified, 'arrayBuffer').mockRejectedValue(new Error('NotReadableError'));
    await user.upload(fileInput(), modified);
    await screen.findByText('paris.csv');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    await user.upload(fileInput(), listOf('nantes.csv'));
    await waitFor(() => expect(screen.queryByText(text)).not.toBeInTheDocument());
    expect(savedRules()).toEqual([]);
  });
});
