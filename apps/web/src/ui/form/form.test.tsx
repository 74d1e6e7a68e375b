import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Input } from 'antd';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ApiFailure } from '../../lib/api-client/index.ts';
import { allDrafts } from '../unsaved/index.ts';
import { Form } from './form.tsx';
import { FormField } from './form-field.tsx';

const schema = z
  .object({ name: z.string().min(1).max(5), again: z.string().optional() })
  .refine(({ name, again }) => again === undefined || again === name, {
    path: ['again'],
    message: 'Not the same',
  });

const show = (onSubmit: (values: z.output<typeof schema>) => Promise<void> | void) => {
  render(
    <Form action="Save" onSubmit={onSubmit} schema={schema}>
      <FormField label="Name" name="name">
        <Input />
      </FormField>
      <FormField label="Again" name="again">
        <Input />
      </FormField>
    </Form>,
  );
  return userEvent.setup();
};
const save = (): HTMLElement => screen.getByRole('button', { name: /Save/ });

const refused = (path: string): ApiFailure =>
  new ApiFailure({
    code: 'CB-00-0400',
    resultCode: '0400',
    http: 400,
    message: 'Some values are not valid',
    issues: [{ path, key: 'notAllowed', message: 'Taken already' }],
    traceId: 'trace-1',
  });

describe('a form', () => {
  test('shows a schema error at its field, and sends nothing', async () => {
    const onSubmit = vi.fn();
    const user = show(onSubmit);
    await user.type(screen.getByLabelText('Name'), 'far too long');
    await user.click(save());
    expect(await screen.findByText('At most 5 characters')).toBeInTheDocument();
    expect(onSubmit).not.toHaveBeenCalled();
  });

  test('shows the message of a rule over two fields', async () => {
    const user = show(() => undefined);
    await user.type(screen.getByLabelText('Name'), 'one');
    await user.type(screen.getByLabelText('Again'), 'two');
    await user.click(save());
    expect(await screen.findByText('Not the same')).toBeInTheDocument();
  });

  test("shows the server's issue at its field", async () => {
    const user = show(() => Promise.reject(refused('name')));
    await user.type(screen.getByLabelText('Name'), 'one');
    await user.click(save());
    expect(await screen.findByText('Taken already')).toBeInTheDocument();
    expect(screen.getByLabelText('Name')).toHaveAttribute('aria-invalid', 'true');
  });

  test('shows an error code about a field at that field, and focuses it', async () => {
    const failure = new ApiFailure({ ...refused('name'), message: 'Taken', code: 'CB-07-0135', issues: [] });
    render(
      <Form
        action="Save"
        codes={{ 'CB-07-0135': 'name' }}
        onSubmit={() => Promise.reject(failure)}
        schema={schema}
      >
        <FormField label="Name" name="name">
          <Input />
        </FormField>
      </Form>,
    );
    const user = userEvent.setup();
    await user.type(screen.getByLabelText('Name'), 'one');
    await user.click(save());
    expect(await screen.findByText('Taken')).toBeInTheDocument();
    expect(screen.queryByRole('alert', { name: /Taken/ })).not.toBeInTheDocument();
    await waitFor(() => expect(screen.getByLabelText('Name')).toHaveFocus());
  });

  test('shows an issue without a field above the button', async () => {
    const user = show(() => Promise.reject(refused('elsewhere')));
    await user.type(screen.getByLabelText('Name'), 'one');
    await user.click(save());
    expect(await screen.findByRole('alert')).toHaveTextContent('Taken already');
  });

  test.each([
    { http: 0, message: 'Network Error', shows: /^Network Error\. It is not known whether this was done\./ },
    { http: 500, message: 'Something went wrong', shows: /^Something went wrong.*trace-1/ },
  ])('says what to do next when a call failed with HTTP $http, and keeps the input', async (facts) => {
    const failure = { code: null, resultCode: null, issues: [], traceId: 'trace-1', ...facts };
    const user = show(() => Promise.reject(new ApiFailure(failure)));
    await user.type(screen.getByLabelText('Name'), 'one');
    await user.click(save());
    expect(await screen.findByRole('alert')).toHaveTextContent(facts.shows);
    expect(screen.getByLabelText('Name')).toHaveValue('one');
  });

  test('is disabled while it sends', async () => {
    let done: () => void = () => undefined;
    const user = show(() => new Promise<void>((resolve) => (done = resolve)));
    await user.type(screen.getByLabelText('Name'), 'one');
    await user.click(save());
    await waitFor(() => expect(screen.getByLabelText('Name')).toBeDisabled());
    done();
    await waitFor(() => expect(screen.getByLabelText('Name')).toBeEnabled());
  });

  describe('whose values are changed elsewhere', () => {
    type Values = z.input<typeof schema>;
    const formOf = (initial: Values, onSubmit: (values: Values) => Promise<void> = async () => undefined) => (
      <Form action="Save" initial={initial} onSubmit={onSubmit} schema={schema}>
        <FormField label="Name" name="name">
          <Input />
        </FormField>
        <FormField label="Again" name="again">
          <Input />
        </FormField>
      </Form>
    );

    test('keeps the input, and updates untouched fields', async () => {
      const user = userEvent.setup();
      const { rerender } = render(formOf({ name: 'one', again: 'a' }));
      await user.type(screen.getByLabelText('Name'), '!');
      rerender(formOf({ name: 'two', again: 'b' }));
      expect(screen.getByLabelText('Again')).toHaveValue('b');
      expect(screen.getByLabelText('Name')).toHaveValue('one!');
      expect(allDrafts.isChanged()).toBe(true);
      await user.clear(screen.getByLabelText('Name'));
      await user.type(screen.getByLabelText('Name'), 'two');
      expect(allDrafts.isChanged()).toBe(false);
    });

    test('shows the stored value after saving, also if it arrives before the response', async () => {
      const user = userEvent.setup();
      let answer: () => void = () => undefined;
      const send = () => new Promise<void>((resolve) => (answer = resolve));
      const { rerender } = render(formOf({ name: 'one' }, send));
      await user.type(screen.getByLabelText('Name'), '!');
      await user.click(save());
      await waitFor(() => expect(screen.getByLabelText('Name')).toBeDisabled());
      rerender(formOf({ name: 'ONE!' }, send));
      expect(screen.getByLabelText('Name')).toHaveValue('one!');
      answer();
      await waitFor(() => expect(screen.getByLabelText('Name')).toHaveValue('ONE!'));
      expect(allDrafts.isChanged()).toBe(false);
    });
  });
});
