import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { signedHeaders } from '@simcube/client';
import { endpoints, headers as names } from '@simcube/contract';
import { startCluster, withClient } from './cluster.ts';
import { type ConsoleClient, signIn } from './console-client.ts';
import { type Fleet, fill, makeFleet, orgCode } from './fleet.ts';
import { type Product, startProduct } from './product.ts';
import { median, quantile } from './report.ts';
import type { Run } from './run.ts';

const dearerAtMostMs = 1;
/** Minimum share of the rate without the log. */
const leastShare = 0.9;
const sims = 10_000;
const pairs = 400;
const warmUps = 50;
const callsOfARound = 3000;
const atOnce = 16;

interface Key {
  id: string;
  privateKey: string;
}
interface Sent {
  headers: Record<string, string>;
  body: string;
}
interface Ground {
  product: Product;
  fleet: Fleet;
  key: Key;
  agent: Agent;
}

const { method, path } = endpoints.sim.list;
const body = JSON.stringify({ page_size: 50 });
const json = { 'content-type': 'application/json' };

/** Cost of a signature per call, and effect of the API log on the rate of calls, for a page of 50 SIMs. */
export const keys = async (run: Run): Promise<void> => {
  const cluster = await startCluster({ watched: run.options.statements });
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const started: Product[] = [];
  try {
    const fleet = await makeFleet(cluster, { database: 'keys', pastDays: 0 });
    await fill(fleet, sims);
    const start = async (log: '0' | '1'): Promise<Product> => {
      const dataDir = join(fleet.dataDir, `log-${log}`);
      const { profile } = run.options;
      const product = await startProduct({
        ...{ ...fleet, dataDir, roles: 'web', profile, settings: { SIMCUBE_API_LOG: log } },
      });
      started.push(product);
      return product;
    };
    const [logging, silent] = [await start('1'), await start('0')];
    const client = await signIn(logging, fleet);
    const key = await makeKey(client);
    await measureSignature(run, { product: logging, fleet, key, agent }, await tokenOf(logging, fleet));
    await measureLog(run, { fleet, key, logging, silent });
    for (const line of await cluster.dearestStatements()) run.note(line);
  } finally {
    agent.destroy();
    for (const product of started) await product.stop();
    await cluster.stop();
  }
};

const makeKey = async (client: ConsoleClient): Promise<Key> => {
  const { answer } = await client.call(endpoints.developer.createKey, { body: {} });
  const { key, private_key } = answer.data as { key: { id: string }; private_key: string };
  return { id: key.id, privateKey: private_key };
};

const tokenOf = async (product: Product, { email, password }: Fleet): Promise<string> => {
  const { signIn: call } = endpoints.identity;
  const content = JSON.stringify({ email, password, agreement: true });
  const answer = await fetch(product.url + call.path, { method: call.method, headers: json, body: content });
  return ((await answer.json()) as { data: { token: string } }).data.token;
};

/** The same call with a session and with a key, alternating, so that other load on the machine affects both. */
const measureSignature = async ({ add, progress }: Run, ground: Ground, token: string): Promise<void> => {
  progress('a signed call beside the same by session');
  const { fleet } = ground;
  const session = {
    ...json,
    authorization: `Bearer ${token}`,
    [names.tenantId]: fleet.tenantId,
    [names.partnerCode]: orgCode,
  };
  const bySession: number[] = [];
  const byKey: number[] = [];
  for (let pair = -warmUps; pair < pairs; pair += 1) {
    const signed = signedCall(ground);
    const first = await timed(ground, { headers: session, body });
    const second = await timed(ground, signed);
    if (pair < 0) continue;
    bySession.push(first);
    byKey.push(second);
  }
  const [measured, baseline] = [median(byKey), median(bySession)];
  add({
    what: 'a signed call',
    measured,
    unit: 'ms',
    baseline,
    ratio: measured / baseline,
    budget: `+ ${dearerAtMostMs} ms`,
    met: measured - baseline <= dearerAtMostMs,
    details: {
      'dearer by, ms': measured - baseline,
      'p95 ms': quantile(byKey, 0.95),
      'p95 ms, by session': quantile(bySession, 0.95),
    },
  });
};

const measureLog = async (
  { add, note, progress, options }: Run,
  { logging, silent, ...ground }: Omit<Ground, 'product' | 'agent'> & { logging: Product; silent: Product },
): Promise<void> => {
  const rates = { with: [] as number[], without: [] as number[] };
  for (let round = -1; round < options.rounds; round += 1) {
    progress(`calls with the log and without, round ${round + 1}`);
    const without = await rateOf({ ...ground, product: silent });
    const withLog = await rateOf({ ...ground, product: logging });
    if (round < 0) continue;
    rates.with.push(withLog);
    rates.without.push(without);
  }
  const [measured, baseline] = [median(rates.with), median(rates.without)];
  add({
    what: 'signed calls with the API log',
    measured,
    unit: '/s',
    baseline,
    ratio: measured / baseline,
    budget: `${leastShare} ×`,
    met: measured >= baseline * leastShare,
  });
  const expected = pairs + warmUps + (options.rounds + 1) * callsOfARound;
  await verify(ground.fleet, expected);
  note(
    `A page of 50 of ${sims.toLocaleString('en-US')} SIMs over loopback HTTP, RSA 1024; signed before the clock runs. ` +
      `Medians of ${pairs} calls one by one, and of ${options.rounds} rounds of ${callsOfARound} calls, ${atOnce} at once, ` +
      'with the log and without in turns. Afterwards every call is in the log once.',
  );
};

/** @returns calls per second, over new connections: the server may be closing those of the previous round */
const rateOf = async (idle: Omit<Ground, 'agent'>): Promise<number> => {
  const ground = { ...idle, agent: new Agent({ keepAlive: true, maxSockets: atOnce }) };
  const calls = Array.from({ length: callsOfARound }, () => signedCall(ground));
  const began = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let call = calls.pop(); call; call = calls.pop()) await timed(ground, call);
    }),
  );
  const rate = (callsOfARound * 1000) / (performance.now() - began);
  ground.agent.destroy();
  return rate;
};

const signedCall = ({ product, key }: Omit<Ground, 'agent'>): Sent => {
  const url = product.url + path;
  const headers = signedHeaders(
    { method, url, headers: json, body },
    { keyId: key.id, privateKey: key.privateKey },
  );
  return { headers, body };
};

/** @returns milliseconds until the last octet of the response */
const timed = ({ product, agent }: Ground, call: Sent): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const sent = request(product.url + path, { method, headers: call.headers, agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`A call was answered ${answer.statusCode}`));
      answer.on('data', () => undefined).on('end', () => resolve(performance.now() - began));
    });
    sent.once('error', reject).end(call.body);
  });

const verify = async (fleet: Fleet, expected: number): Promise<void> => {
  const end = performance.now() + 30_000;
  let found = -1;
  while (found < expected && performance.now() < end) {
    found = await withClient(fleet.databaseUrl, async (client) => {
      const { rows } = await client.query<{ count: number }>('select count(*)::int as count from api_calls');
      return rows[0]?.count ?? 0;
    });
  }
  if (found !== expected) throw new Error(`${found} of ${expected} calls are in the log`);
};
