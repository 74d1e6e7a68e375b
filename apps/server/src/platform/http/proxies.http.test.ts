import { endpoint } from '@simcube/contract';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { testGateway } from '../../testing/gateway.ts';
import { readEnv } from '../env/index.ts';
import { route } from './index.ts';

const where = endpoint({
  id: 'test.where',
  method: 'GET',
  path: '/cube/where',
  summary: 'Says where it is called from',
  access: { kind: 'public' },
  response: z.string(),
  errors: [],
  retry: 'safe',
});

const addressOf = async (setting: string, remoteAddress: string, forwarded: string) => {
  const { trustProxy } = readEnv({ SIMCUBE_TRUST_PROXY: setting }).http;
  const app = await testGateway({ routes: [route(where, async ({ address }) => address)], trustProxy });
  const answer = await app.inject({
    url: '/cube/where',
    remoteAddress,
    headers: { 'x-forwarded-for': forwarded },
  });
  await app.close();
  return answer.json().data;
};

const forged = '203.0.113.66';
const client = '198.51.100.7';

it.each([
  ['nobody is trusted', '0', '10.0.0.2', `${forged}, ${client}`, '10.0.0.2'],
  ['one hop', '1', '10.0.0.2', `${forged}, ${client}`, client],
  ['two hops', '2', '10.0.0.2', `${forged}, ${client}, 10.0.0.3`, client],
  ['named networks', '10.0.0.0/24, 192.0.2.1', '10.0.0.2', `${forged}, ${client}, 192.0.2.1`, client],
  ['another network', '10.0.0.0/24', '192.0.2.9', `${forged}, ${client}`, '192.0.2.9'],
])(
  'forged entries on the left of X-Forwarded-For are ignored: %s',
  async (_, setting, remote, sent, address) => {
    expect(await addressOf(setting, remote, sent)).toBe(address);
  },
);

it.each(['yes', '10.0.0.0/33', '1,', '-1'])(
  'a setting that is neither hops nor networks is rejected: %s',
  (setting) => {
    expect(() => readEnv({ SIMCUBE_TRUST_PROXY: setting })).toThrow('SIMCUBE_TRUST_PROXY');
  },
);
