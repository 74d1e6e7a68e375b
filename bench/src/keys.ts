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

const maxExtraMs = 1;
/** Minimum share of the rate without the log. */
const minShare = 0.9;
const sims = 10_000;
const pairs = 400;
const warmUps = 50;
const callsPerRound = 3000;
const concurrency = 16;

interface Key {
  id: string;
  privateKey: string;
}
interface SignedCall {
  headers: Record<string, string>;
  body: string;
}
interface CallSetup {
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
  const cluster = await startCluster({ trackStatements: run.options.statements });
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const started: Product[] = [];
  try {
    const fleet = await makeFleet(cluster, { database: 'keys', pastDays: 0 });
    await fill(fleet, sims);
    const start = async (log: '0' | '1'): Promise<Product> => {
      const dataDir = join(fleet.dataDir, `log-${log}`);
      const { profile } = run.options;
      const product = await startProduct({
        ...fleet,
        dataDir,
        roles: 'web',
        profile,
        settings: { SIMCUBE_API_LOG: log },
      });
      started.push(product);
      return product;
    };
    const [logging, silent] = [await start('1'), await start('0')];
    const client = await signIn(logging, fleet);
    const key = await makeKey(client);
    await measureSignature(run, { product: logging, fleet, key, agent }, await fetchToken(logging, fleet));
    await measureLog(run, { fleet, key, logging, silent });
    for (const line of await cluster.costliestStatements()) run.note(line);
  } finally {
    agent.destroy();
    for (const product of started) await product.stop();
    await cluster.stop();
  }
};

const makeKey = async (client: ConsoleClient): Promise<Key> => {
  const { response } = await client.call(endpoints.developer.createKey, { body: {} });
  const { key, private_key } = response.data as { key: { id: string }; private_key: string };
  return { id: key.id, privateKey: private_key };
};

const fetchToken = async (product: Product, { email, password }: Fleet): Promise<string> => {
  const { signIn: call } = endpoints.identity;
  const content = JSON.stringify({ email, password, agreement: true });
  const response = await fetch(product.url + call.path, {
    method: call.method,
    headers: json,
    body: content,
  });
  return ((await response.json()) as { data: { token: string } }).data.token;
};

/** The same call with a session and with a key, alternating, so that other load on the machine affects both. */
const measureSignature = async ({ add, progress }: Run, setup: CallSetup, token: string): Promise<void> => {
  progress('a signed call beside the same by session');
  const { fleet } = setup;
  const session = {
    ...json,
    authorization: `Bearer ${token}`,
    [names.tenantId]: fleet.tenantId,
    [names.partnerCode]: orgCode,
  };
  const bySession: number[] = [];
  const byKey: number[] = [];
  for (let pair = -warmUps; pair < pairs; pair += 1) {
    const signed = signedCall(setup);
    const first = await timeCall(setup, { headers: session, body });
    const second = await timeCall(setup, signed);
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
    budget: `+ ${maxExtraMs} ms`,
    met: measured - baseline <= maxExtraMs,
    details: {
      'dearer by, ms': measured - baseline,
      'p95 ms': quantile(byKey, 0.95),
      'p95 ms, by session': quantile(bySession, 0.95),
    },
  });
};

const measureLog = async (
  { add, note, progress, options }: Run,
  { logging, silent, ...setup }: Omit<CallSetup, 'product' | 'agent'> & { logging: Product; silent: Product },
): Promise<void> => {
  const rates = { with: [] as number[], without: [] as number[] };
  for (let round = -1; round < options.rounds; round += 1) {
    progress(`calls with the log and without, round ${round + 1}`);
    const without = await measureRate({ ...setup, product: silent });
    const withLog = await measureRate({ ...setup, product: logging });
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
    budget: `${minShare} ×`,
    met: measured >= baseline * minShare,
  });
  const expected = pairs + warmUps + (options.rounds + 1) * callsPerRound;
  await verify(setup.fleet, expected);
  note(
    `A page of 50 of ${sims.toLocaleString('en-US')} SIMs over loopback HTTP, RSA 1024; signed before the clock runs. ` +
      `Medians of ${pairs} calls one by one, and of ${options.rounds} rounds of ${callsPerRound} calls, ${concurrency} at once, ` +
      'with the log and without in turns. Afterwards every call is in the log once.',
  );
};

/** @returns calls per second, over new connections: the server may be closing those of the previous round */
const measureRate = async (baseSetup: Omit<CallSetup, 'agent'>): Promise<number> => {
  const setup = { ...baseSetup, agent: new Agent({ keepAlive: true, maxSockets: concurrency }) };
  const calls = Array.from({ length: callsPerRound }, () => signedCall(setup));
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let call = calls.pop(); call; call = calls.pop()) await timeCall(setup, call);
    }),
  );
  const rate = (callsPerRound * 1000) / (performance.now() - startedAt);
  setup.agent.destroy();
  return rate;
};

const signedCall = ({ product, key }: Omit<CallSetup, 'agent'>): SignedCall => {
  const url = product.url + path;
  const headers = signedHeaders(
    { method, url, headers: json, body },
    { keyId: key.id, privateKey: key.privateKey },
  );
  return { headers, body };
};

/** @returns milliseconds until the last octet of the response */
const timeCall = ({ product, agent }: CallSetup, call: SignedCall): Promise<number> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const sent = request(product.url + path, { method, headers: call.headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`A call was answered ${response.statusCode}`));
      response.on('data', () => undefined).on('end', () => resolve(performance.now() - startedAt));
    });
    sent.once('error', reject).end(call.body);
  });

const verify = async (fleet: Fleet, expected: number): Promise<void> => {
  const end = performance.now() + 30_000;
  let logged = -1;
  while (logged < expected && performance.now() < end) {
    logged = await withClient(fleet.databaseUrl, async (client) => {
      const { rows } = await client.query<{ count: number }>('select count(*)::int as count from api_calls');
      return rows[0]?.count ?? 0;
    });
  }
  if (logged !== expected) throw new Error(`${logged} of ${expected} calls are in the log`);
};
