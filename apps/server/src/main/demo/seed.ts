import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { dayMs } from '@simcube/contract/time';
import { cells, demoDevices, history, historyColumns } from '@simcube/network-sim';
import type pg from 'pg';
import { addGateway, recordFormerImeis, writeLastSeen } from '../../modules/aaa/index.ts';
import { operatorActor } from '../../modules/audit/index.ts';
import { endBasicOrders, placeOrders, startBasicOrders } from '../../modules/bundle/index.ts';
import { queueCounting } from '../../modules/cdr/index.ts';
import { computeDueEstimates, computeDueOffers } from '../../modules/finance/index.ts';
import { queueAllDays, refreshHeatmap } from '../../modules/heatmap/index.ts';
import { importCells } from '../../modules/place/index.ts';
import { addToPools, restateUsage } from '../../modules/pool/index.ts';
import { bindTariff } from '../../modules/price/index.ts';
import { backdateSims, changeLifecycle, importSims, syncNetworks } from '../../modules/sim/index.ts';
import {
  fileSource,
  importCdrs,
  insertPastFigures,
  refreshDailyFigures,
  refreshRanks,
} from '../../modules/usage/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { ensurePartitions, inTransaction, type Sql } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Vault } from '../../platform/secrets/index.ts';
import { applyParts } from '../catalogue/catalogue.service.ts';
import type { Wiring } from '../wire.ts';
import { findState, isEmpty, saveState, withSeedLock } from './demo.queries.ts';
import { historyDays, makeBills, monthsUntil } from './demo-bills.ts';
import {
  demoBundleOf,
  demoCatalogue,
  demoOrganisations,
  demoParts,
  demoPassword,
  demoPeople,
  demoTariffs,
  tariffsFrom,
} from './demo-catalogue.ts';
import { type DemoFiles, demoFiles, ensureSecret, writeDevices, writeFileAtomically } from './demo-files.ts';
import { createLedger } from './demo-ledger.ts';
import { findMaker } from './demo-maker.ts';
import { type DemoSim, type DemoStep, demoPlan, inventoryLines } from './demo-plan.ts';
import { makePools, poolSteps, updateMembership } from './demo-pools.ts';
import { makeReports } from './demo-reports.ts';
import { makeRules } from './demo-rules.ts';
import { makeSchedules } from './demo-schedules.ts';
import { connectSmsc, storeSmsHistory } from './demo-sms.ts';
import { exhaustQuota } from './demo-story.ts';
import { makeWebhook } from './demo-webhook.ts';

export interface SeedOptions {
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  vault: Vault;
  dataDir: string;
  wiring: Pick<Wiring, 'org' | 'identity' | 'sim'>;
  /** Called after the slow steps: a port that is free now may be taken a minute later. */
  findPorts: () => Promise<DemoPorts>;
  /** Size of the demonstration; tests use a small one. */
  size?: { sims: number; days: number };
}

export interface DemoPorts {
  /** Where the simulated gateway receives Disconnect and CoA. */
  coaPort: number;
  /** Where its SMSC listens. */
  smscPort: number;
}

/** What the start of the demonstration prints, and how to run its simulator. */
export interface Demo extends DemoPorts {
  signIn: { email: string; password: string }[];
  simulator: { args: string[]; env: Record<string, string> };
}

const defaultSize = { sims: 5000, days: historyDays };
const seedNumber = 7;
const figureDays = 62;
/**
 * Days of the heatmap that exist at the start; jobs then compute the others, and the counts of charts, which read
 * records until then.
 */
const heatmapDays = 31;
/** The shortest that is allowed. The simulator sends updates every ten to twenty seconds, whatever the server's interval. */
const interimSeconds = 60;

interface SeedContext extends SeedOptions {
  at: Date;
  plan: DemoSim[];
  files: DemoFiles;
  days: number;
}

/**
 * Makes the demonstration in an empty database, through the same code as real data: organisations and people, a
 * catalogue, SIMs from an inventory file, orders and their lifecycles, seven months of usage from a CDR file.
 * Interrupted at any point, it continues at the next start; once complete, it changes nothing.
 * @returns undefined when the database contains anything else: then there is no demonstration
 */
export const seedDemo = (options: SeedOptions): Promise<Demo | undefined> =>
  withSeedLock(options.pool, () => seedLocked(options));

const seedLocked = async (options: SeedOptions): Promise<Demo | undefined> => {
  const { pool, clock, dataDir, log, vault, findPorts, size = defaultSize } = options;
  const savedState = await findState(pool);
  if (!savedState && !(await isEmpty(pool))) return undefined;
  const at = savedState?.at ?? clock.now();
  const plan = demoPlan(demoDevices(size.sims, seedNumber), at);
  const context: SeedContext = { ...options, at, plan, files: demoFiles(dataDir), days: size.days };

  const mark = savedState?.mark;
  if (!mark) {
    log.info('creating the demonstration data');
    await makePeople(context);
  }
  if (mark === undefined || mark === 'started') await createSims(context);
  if (mark !== 'used' && mark !== 'done') await makeHistory(context);
  if (mark !== 'done') await createBillsAndRules(context);
  // Files may be lost while the database survives: they are created again with the same content.
  const secret = await ensureSecret(context.files);
  const { coaPort, smscPort } = await findPorts();
  const gateway = {
    name: 'demo',
    network: '127.0.0.1/32',
    coaHost: '127.0.0.1',
    coaPort,
    rateAttribute: 'WISPr-Bandwidth-Max-Down',
    interimSeconds,
    requireMessageAuthenticator: true,
  } as const;
  await addGateway({ pool, vault }, gateway, secret);
  await writeDevices(context.files, plan);
  const { devicesFile, secretFile, smscSecretFile } = context.files;
  await connectSmsc({ pool, clock, vault }, { port: smscPort, secretFile: smscSecretFile });
  return {
    signIn: demoPeople.map(({ email }) => ({ email, password: demoPassword })),
    coaPort,
    smscPort,
    simulator: {
      args: [
        ...['--devices', devicesFile, '--secret-file', secretFile, '--coa-port', String(coaPort)],
        ...['--smsc-port', String(smscPort), '--smsc-secret-file', smscSecretFile],
      ],
      env: {},
    },
  };
};

const makePeople = ({ pool, wiring, at, log }: SeedContext): Promise<void> =>
  inTransaction(pool, async (tx) => {
    await syncNetworks(tx);
    const by = { actor: operatorActor(), at };
    await applyParts(tx, { parts: demoParts, catalogue: demoCatalogue(), by });
    const [operator, ...others] = demoOrganisations;
    const orgIds = new Map<string, number>();
    const userIds = new Map<string, string>();
    const make = async (organisation: (typeof demoOrganisations)[number]) => {
      orgIds.set(organisation.code, (await wiring.org.createOrganisation(tx, organisation)).id);
      await joinPeople(tx, organisation.code);
    };
    // Before the organisations below it are created, so that oversight takes effect.
    const joinPeople = async (sql: Sql, code: string) => {
      for (const person of demoPeople) {
        const membership = person.memberships.find((one) => one.code === code);
        const orgId = orgIds.get(code);
        if (!membership || orgId === undefined) continue;
        const { email, firstName, lastName, locale } = person;
        const userId =
          userIds.get(email) ??
          (await wiring.identity.createUser(sql, {
            email,
            firstName,
            lastName,
            locale,
            password: demoPassword,
          }));
        userIds.set(email, userId);
        const { role, oversight = false } = membership;
        if (role === 'superadmin') await wiring.org.makeSuperadmin(sql, { userId, orgId });
        else await wiring.org.addMembership(sql, { userId, orgId, role, oversight });
      }
    };
    if (operator) await make(operator);
    for (const organisation of others) await make(organisation);
    await makePools(tx, at);
    for (const binding of demoTariffs) await bindTariff(tx, { ...binding, from: tariffsFrom }, by);
    await saveState(tx, { mark: 'started', at });
    log.info({ organisations: orgIds.size, people: userIds.size }, 'organisations and people created');
  });

/** Imports SIMs from an inventory file, then makes their orders and lifecycles. */
const createSims = async ({ pool, clock, plan, at, log }: SeedContext): Promise<void> => {
  const oldest = plan.reduce((first, sim) => Math.min(first, sim.shippedAt.getTime()), at.getTime());
  await ensurePartitions(pool, new Date(oldest), at);
  const report = await importSims({
    pool,
    clock,
    file: Readable.from(inventoryLines(plan)),
    onRefused: (refusal) => log.warn(refusal, 'a SIM of the demonstration was rejected'),
  });
  log.info(report, 'SIMs imported');
  await importCells({
    pool,
    file: Readable.from(cellLines()),
    onRefused: (refusal) => log.warn(refusal, 'a cell of the demonstration was rejected'),
  });
  await inTransaction(pool, async (tx) => {
    const simIds = await backdateSims(
      tx,
      plan.map(({ device, shippedAt }) => ({ iccid: device.iccid, shippedAt })),
    );
    const idOf = (sim: DemoSim): number => simIds.get(sim.device.iccid) ?? 0;
    const orders = await placeOrders(
      tx,
      plan.map((sim) => orderOf(sim, idOf(sim))),
    );
    const orderIds = new Map(orders.map(({ orderId, simId }) => [simId, orderId]));
    const take = async ({ kind, at: stepAt, sims }: Batch) => {
      await applyStep(tx, { kind, at: stepAt, simIds: sims.map(idOf), orderIds, now: at });
      await updateMembership(tx, { kind, at: stepAt, sims, idOf });
    };
    const steps = [
      ...poolSteps(at),
      ...batchesOf(plan).map((batch) => ({ at: batch.at, take: () => take(batch) })),
    ];
    for (const step of steps.toSorted((a, b) => a.at.getTime() - b.at.getTime())) await step.take(tx);
    await saveState(tx, { mark: 'stocked', at });
  });
  log.info('orders and lifecycles created');
};

/** Locations of the simulator's cells: the gateway reports only their numbers. */
function* cellLines(): Generator<string> {
  yield 'cell,latitude,longitude,name\n';
  for (const { key, latitude, longitude, city, operator } of cells) {
    yield `${key},${latitude},${longitude},"${city.name}, ${operator.name}"\n`;
  }
}

const orderOf = (sim: DemoSim, simId: number) => ({
  simId,
  bundleCode: demoBundleOf(sim.device.kind, sim.orgCode).code,
  salesOrderId: `SO-${20_000 + (sim.device.index % 3000)}`,
  orderedAt: new Date(sim.shippedAt.getTime() + 2 * dayMs),
});

interface Batch extends DemoStep {
  sims: DemoSim[];
}

/** Groups steps of the same kind and time, in chronological order. */
const batchesOf = (plan: readonly DemoSim[]): Batch[] => {
  const batches = new Map<string, Batch>();
  for (const sim of plan) {
    for (const { kind, at } of sim.steps) {
      const key = `${at.getTime()} ${kind}`;
      const batch = batches.get(key);
      if (batch) batch.sims.push(sim);
      else batches.set(key, { kind, at, sims: [sim] });
    }
  }
  return [...batches.values()].sort((a, b) => a.at.getTime() - b.at.getTime());
};

interface Step extends DemoStep {
  simIds: number[];
  orderIds: ReadonlyMap<number, number>;
  now: Date;
}

const applyStep = async (tx: Sql, { kind, at, simIds, orderIds, now }: Step): Promise<void> => {
  switch (kind) {
    case 'activate': {
      await changeLifecycle(tx, { simIds, to: 'active', reason: 'activation', actor: 'Alba Moreno', at });
      const starts = simIds.map((simId) => ({ orderId: orderIds.get(simId) ?? 0, activatedAt: at }));
      await startBasicOrders(tx, { starts, now });
      return;
    }
    case 'suspend':
      await changeLifecycle(tx, { simIds, to: 'paused', reason: 'suspend', actor: 'Olu Adeyemi', at });
      return;
    case 'end':
      await endBasicOrders(tx, {
        ends: simIds.map((simId) => ({ simId, at })),
        now,
        cause: { reason: 'order-ended' },
      });
      await changeLifecycle(tx, { simIds, to: 'expired', reason: 'last-order-ended', actor: null, at });
      return;
    case 'terminate':
      await changeLifecycle(tx, { simIds, to: 'terminated', reason: 'grace-over', actor: null, at });
      return;
  }
};

/** Imports usage from a CDR file, and stores the figures of those days. */
const makeHistory = async ({ pool, plan, at, files, days, clock, log }: SeedContext): Promise<void> => {
  const ledger = createLedger(plan, { days: figureDays, now: at });
  const inUse = new Map(plan.map((sim) => [sim.device.imsi, sim.inUse]));
  const rows = history({
    devices: plan.map(({ device }) => device),
    seed: seedNumber,
    untilMs: at.getTime(),
    days,
    activeWindow: ({ imsi }) => inUse.get(imsi),
  });
  await ensureSecret(files);
  const count = await writeFileAtomically(files.historyFile, {
    columns: historyColumns,
    rows: ledger.watch(rows),
  });
  log.info({ records: count }, 'usage history generated; importing it');
  const { accepted, duplicate, refused } = await importCdrs({
    pool,
    clock,
    countForPools: addToPools,
    source: await fileSource(files.historyFile),
  });
  log.info({ accepted, duplicate, refused }, 'usage history imported');
  await inTransaction(pool, async (tx) => {
    await restateUsage(tx);
    await insertPastFigures(tx, ledger.figures());
    await recordFormerImeis(tx, ledger.imeiChanges);
    await writeLastSeen(tx, ledger.lastSeen());
    await storeSmsHistory(tx, { plan, seed: seedNumber, at, days });
    await saveState(tx, { mark: 'used', at });
  });
  // From here on, jobs maintain these.
  await refreshDailyFigures(pool, at);
  await refreshRanks(pool, at);
  const { signal } = new AbortController();
  await refreshHeatmap({ pool, clock, lastDays: heatmapDays, signal });
  log.info('map computed');
  await rm(files.historyFile, { force: true });
};

/** Schedules with their runs, bills and reports of past usage, and rules for later events. */
const createBillsAndRules = async (context: SeedContext): Promise<void> => {
  const { pool, at, days, log } = context;
  const maker = await findMaker(context);
  if (maker) {
    const { ordering } = context.wiring.sim;
    await makeSchedules({ ...maker, pool, ordering, plan: context.plan, seed: seedNumber, at, days });
    log.info('schedules created');
  }
  await makeBills({ pool, at, days });
  await computeDueEstimates({ pool, now: at });
  await computeDueOffers({ pool, now: at });
  const months = monthsUntil(at, days);
  await makeReports(pool, { code: 'ACME', months, since: new Date(at.getTime() - days * dayMs), at });
  if (maker) {
    await makeRules(context, maker);
    await makeWebhook(context, maker);
    await exhaustQuota(context, maker);
  }
  await inTransaction(pool, async (tx) => {
    await queueCounting(tx);
    await queueAllDays(tx);
    await saveState(tx, { mark: 'done', at });
  });
  log.info('bills, reports and rules created');
};
