import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { RefetchingQueryClient } from './query-client.ts';

/** An active query whose responses the test releases. */
const onScreen = (client: RefetchingQueryClient) => {
  const answers: ((answer: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['sim', { iccid: '1' }],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  const leave = observer.subscribe(() => undefined);
  return { answers, observer, leave };
};

test('a query that is invalidated during its first fetch is fetched again afterwards', async () => {
  const client = new RefetchingQueryClient();
  const { answers, observer, leave } = onScreen(client);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  void client.invalidateQueries({ queryKey: ['sim'] });
  answers[0]?.('before');
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.('after');
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('after'));
  expect(answers).toHaveLength(2);
  leave();
});

test('a query with data is refetched once per invalidation', async () => {
  const client = new RefetchingQueryClient();
  const { answers, observer, leave } = onScreen(client);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  answers[0]?.('first');
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('first'));
  void client.invalidateQueries();
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.('second');
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('second'));
  expect(answers).toHaveLength(2);
  leave();
});
