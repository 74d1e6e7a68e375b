import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { simSearch } from '../search.ts';
import { SimListScreen } from './sim-list.screen.tsx';

const gateway = stubGateway();

const List = () => <SimListScreen {...useAddress(simSearch)} />;

beforeEach(() => {
  signedInAs('admin');
  gateway.respond('GET /cube/sim/views', () => success([]));
  gateway.respond('POST /cube/sim/list/counts', () => success([]));
});

test('an export in the URL waits for the number of SIMs, and is removed from the URL', async () => {
  let answer: (response: Response) => void = () => undefined;
  gateway.respond('POST /cube/sim/list/es', () => new Promise<Response>((resolve) => (answer = resolve)));
  const { history } = renderScreen(<List />, '/?start=export');
  await expect.poll(() => gateway.sent.some(({ path }) => path === '/cube/sim/list/es')).toBe(true);
  expect(screen.queryByRole('dialog')).toBeNull();
  answer(success([], { total_count: 2844 }));
  expect(await screen.findByRole('dialog')).toHaveTextContent('all 2,844 that match will be exported');
  expect(history.location.search).toBe('');
});
