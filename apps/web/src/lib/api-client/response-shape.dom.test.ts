import { endpoints } from '@simcube/contract';
import { expect, test } from 'vitest';
import { stubGateway, success } from '../../testing/gateway.ts';
import { call } from './index.ts';

const gateway = stubGateway();
const iccids = ['89860012300004518823'];

test.each([null, {}, 'rows'])('%j instead of a list is an unexpected response', async (data) => {
  gateway.respond('POST /cube/sim/list/es', () => success(data));
  await expect(call(endpoints.sim.list, { body: {}, announce: false })).rejects.toMatchObject({
    name: 'ApiFailure',
    http: 200,
    message: 'The server sent an unexpected response. Please try again.',
  });
});

test('an order that succeeded does not fail because its response is empty', async () => {
  gateway.respond('POST /cube/sim/suspend', () => success(null));
  const order = call(endpoints.sim.suspend, { body: { selection: { iccids } } });
  await expect(order).resolves.toMatchObject({ data: null });
});
