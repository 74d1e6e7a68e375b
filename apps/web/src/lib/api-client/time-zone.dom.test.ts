import { endpoints, headers } from '@simcube/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { stubGateway, success } from '../../testing/gateway.ts';
import { setTimeDisplay } from '../time/index.ts';
import { call } from './index.ts';

const gateway = stubGateway();

afterEach(() => {
  vi.restoreAllMocks();
});

test('calls carry the time zone in which times are displayed, because files are written in it', async () => {
  const options = { ...new Intl.DateTimeFormat().resolvedOptions(), timeZone: 'Asia/Kolkata' };
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options);
  gateway.respond('GET /customer/orgs', () => success([]));
  const read = () => call(endpoints.org.listMine);
  await read();
  setTimeDisplay('LOCAL');
  await read();
  setTimeDisplay('UTC');
  await read();
  expect(gateway.sent.map(({ headers: sent }) => sent.get(headers.timeZone))).toEqual([
    'UTC',
    'Asia/Kolkata',
    'UTC',
  ]);
});
