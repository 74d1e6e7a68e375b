import { createBrowserHistory } from '@tanstack/react-router';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ApiFailure } from '../../lib/api-client/index.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { Dialog } from '../dialog/index.ts';
import { Drawer } from '../drawer/index.ts';
import { Form, FormField } from '../form/index.ts';
import { LeaveGuard, useLeaveAll } from './index.ts';

const schema = z.object({ name: z.string().min(1), note: z.string().optional() });

interface SampleProps {
  onSubmit?: () => Promise<void> | void;
  onCancel?: () => void;
  danger?: boolean;
}

const Sample = ({ onSubmit = () => undefined, ...props }: SampleProps) => (
  <Form action="Save" initial={{ name: 'Berlin' }} onSubmit={onSubmit} schema={schema} {...props}>
    <FormField label="Name" name="name">
      <Input />
    </FormField>
    <FormField label="Note" name="note">
      <Input />
    </FormField>
  </Form>
);

const OnPage = (props: SampleProps) => (
  <>
    <LeaveGuard />
    <Sample {...props} />
  </>
);

const question = () => screen.findByRole('dialog', { name: 'Discard unsaved changes?' });
const noQuestion = () =>
  expect(screen.queryByRole('dialog', { name: 'Discard unsaved changes?' })).not.toBeInTheDocument();
const answer = async (
  user: ReturnType<typeof renderScreen>['user'],
  words: 'Keep editing' | 'Discard changes',
) => {
  await user.click(await screen.findByRole('button', { name: words }));
  await waitFor(noQuestion);
};
const write = async (user: ReturnType<typeof renderScreen>['user']) =>
  user.type(await screen.findByLabelText('Note'), 'by the harbour');

/** Whether the browser would ask before closing the tab. */
const browserAsks = (): boolean => {
  const closing = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(closing);
  return closing.defaultPrevented;
};

describe('a page with a form', () => {
  test('is left without confirmation while nothing has changed', async () => {
    const { user, history } = renderScreen(<OnPage />, '/en-US/setCard');
    const name = await screen.findByLabelText('Name');
    await user.type(name, 'x{Backspace}');
    history.push('/en-US/analysis');
    await waitFor(() => expect(history.location.pathname).toBe('/en-US/analysis'));
    noQuestion();
  });

  test('asks before discarding changes, stays when they are kept, and asks again the next time', async () => {
    const { user, history } = renderScreen(<OnPage />, '/en-US/setCard');
    await write(user);
    history.push('/en-US/analysis');
    expect(await question()).toBeInTheDocument();
    await answer(user, 'Keep editing');
    expect(history.location.pathname).toBe('/en-US/setCard');
    expect(screen.getByLabelText('Note')).toHaveValue('by the harbour');
    history.push('/en-US/analysis');
    await answer(user, 'Discard changes');
    await waitFor(() => expect(history.location.pathname).toBe('/en-US/analysis'));
  });

  test('keeps its changes when the language changes, without confirmation', async () => {
    const { user, history } = renderScreen(<OnPage />, '/en-US/setCard?tab=security');
    await write(user);
    history.replace('/es-ES/setCard?tab=security');
    await waitFor(() => expect(history.location.pathname).toBe('/es-ES/setCard'));
    noQuestion();
    expect(screen.getByLabelText('Note')).toHaveValue('by the harbour');
  });

  test('is left for another organisation only after confirmation', async () => {
    const go = vi.fn();
    const Switcher = () => {
      const leave = useLeaveAll();
      return <Button onClick={() => leave(go)}>Switch</Button>;
    };
    const { user } = renderScreen(
      <>
        <Switcher />
        <OnPage />
      </>,
    );
    await write(user);
    await user.click(screen.getByRole('button', { name: 'Switch' }));
    await answer(user, 'Keep editing');
    expect(go).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Switch' }));
    await answer(user, 'Discard changes');
    expect(go).toHaveBeenCalledOnce();
  });

  test('asks again if it is still on screen, with its changes, after the step for which they were discarded', async () => {
    const history = createBrowserHistory();
    const { user } = renderScreen(<OnPage />, '', history);
    await write(user);
    history.push('/en-US/analysis');
    await answer(user, 'Discard changes');
    await waitFor(() => expect(history.location.pathname).toBe('/en-US/analysis'));
    await waitFor(() => expect(browserAsks()).toBe(true));
    history.destroy();
  });

  test('asks again if signing out was cancelled after its changes were discarded', async () => {
    const Shell = () => {
      const leave = useLeaveAll();
      return <Button onClick={() => leave(async () => undefined)}>Sign out</Button>;
    };
    const { user } = renderScreen(
      <>
        <Shell />
        <OnPage />
      </>,
    );
    await write(user);
    await user.click(screen.getByRole('button', { name: 'Sign out' }));
    await answer(user, 'Discard changes');
    await user.click(screen.getByRole('button', { name: 'Sign out' }));
    expect(await question()).toBeInTheDocument();
  });

  test('does not ask while it is being sent, nor once it is saved', async () => {
    const { user, history } = renderScreen(
      <OnPage onSubmit={() => history.push('/en-US/orgs')} />,
      '/en-US/orgscreate',
    );
    await write(user);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(history.location.pathname).toBe('/en-US/orgs'));
    await user.type(screen.getByLabelText('Note'), '!');
    history.push('/en-US/analysis');
    expect(await question()).toBeInTheDocument();
  });

  test('still asks when the server rejected it', async () => {
    const refused = new ApiFailure({
      code: 'CB-00-0400',
      resultCode: '0400',
      http: 400,
      message: 'Not now',
      issues: [],
      traceId: 'trace-1',
    });
    const { user, history } = renderScreen(
      <OnPage onSubmit={() => Promise.reject(refused)} />,
      '/en-US/setCard',
    );
    await write(user);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Not now')).toBeInTheDocument();
    history.push('/en-US/analysis');
    expect(await question()).toBeInTheDocument();
  });
});

describe('a form in a dialog or a drawer', () => {
  const Box = ({ in: Around, ...props }: SampleProps & { in: typeof Dialog | typeof Drawer }) => {
    const [open, setOpen] = useState(true);
    const close = (): void => setOpen(false);
    return (
      <Around onClose={close} open={open} title="City">
        <Sample onCancel={close} {...props} />
      </Around>
    );
  };
  const gone = () => waitFor(() => expect(screen.queryByLabelText('Note')).not.toBeInTheDocument());

  test.each([
    ['dialog', Dialog],
    ['drawer', Drawer],
  ] as const)('asks before its %s closes: by Escape, by its cross and by Cancel', async (_, Around) => {
    const { user } = renderScreen(<Box in={Around} />);
    await write(user);
    await user.keyboard('{Escape}');
    await answer(user, 'Keep editing');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await answer(user, 'Keep editing');
    expect(screen.getByLabelText('Note')).toHaveValue('by the harbour');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await answer(user, 'Discard changes');
    await gone();
  });

  test('closes without confirmation when nothing has changed, or when it is a confirmation itself', async () => {
    const unchanged = renderScreen(<Box in={Dialog} />).user;
    await unchanged.click(await screen.findByRole('button', { name: 'Cancel' }));
    await gone();
    noQuestion();
    cleanup();
    const { user } = renderScreen(<Box danger in={Dialog} />);
    await write(user);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await gone();
    noQuestion();
  });
});

test('the browser asks before a tab with changes is closed', async () => {
  const history = createBrowserHistory();
  const { user } = renderScreen(<OnPage />, '/', history);
  await screen.findByLabelText('Note');
  expect(browserAsks()).toBe(false);
  await write(user);
  expect(browserAsks()).toBe(true);
  history.destroy();
});
