import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { writeCsv } from '../csv.ts';
import { demoDevices, MAX_DEMO_DEVICES, type SimDevice } from '../demo-devices.ts';
import { DeviceFileError, readDeviceFile } from '../device-file.ts';
import { type Gateway, type GatewayStats, startGateway } from '../gateway.ts';
import { history, historyColumns } from '../history.ts';
import { jsonLog } from '../log.ts';
import { readScenario, ScenarioError } from '../scenario.ts';
import { startDeviceSmsc } from '../sms/device-smsc.ts';
import type { Smsc } from '../sms/smsc.ts';
import { cells } from '../world.ts';

const DEFAULT_SCENARIO = fileURLToPath(new URL('../../scenarios/demo.json', import.meta.url));

/** Parses a number option within bounds. */
const number =
  (min: number, max: number, isWhole = true) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= min && value <= max) || (isWhole && !Number.isInteger(value))) {
      throw new InvalidArgumentError(`Expected a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}.`);
    }
    return value;
  };

const port = number(1, 65_535);
const seedOption = (): Option =>
  new Option('--seed <number>', 'the same seed gives the same fleet')
    .argParser(number(0, 2 ** 32))
    .default(7);

interface RunOptions {
  scenario: string;
  server: string;
  authPort: number;
  acctPort: number;
  coaHost: string;
  coaPort: number;
  secretEnv: string;
  secretFile?: string;
  speed?: number;
  seed?: number;
  devices?: string;
  maxActive?: number;
  duration?: number;
  smscPort?: number;
  smscSecretFile?: string;
}

/** Never taken from the command line, where every user of the machine could read it. */
function readSecret({ secretEnv, secretFile }: RunOptions): Uint8Array {
  const text = secretFile === undefined ? process.env[secretEnv] : readFileSync(secretFile, 'utf8').trim();
  if (text === undefined || text === '') {
    throw new ScenarioError(`No RADIUS secret: set ${secretEnv}, or name its file with --secret-file`);
  }
  return Buffer.from(text, 'utf8');
}

async function run(options: RunOptions): Promise<void> {
  const log = jsonLog(process.stdout);
  const secret = readSecret(options);
  const file = await readScenario(options.scenario);
  const scenario = {
    ...file,
    speed: options.speed ?? file.speed,
    seed: options.seed ?? file.seed,
    maxActive: options.maxActive ?? file.maxActive,
  };
  const devices =
    options.devices === undefined
      ? demoDevices(scenario.demoDevices, scenario.seed)
      : await readDeviceFile(options.devices);
  const { server: host, authPort, acctPort } = options;
  // First, because it sends nothing on its own: a gateway is started only if nothing else can fail.
  const smsc = await startSmscIfEnabled(options, { devices, seed: scenario.seed });
  const gateway = await startGateway({
    scenario,
    devices,
    server: { host, authPort, acctPort, secret },
    coa: { host: options.coaHost, port: options.coaPort },
    log,
  }).catch(async (error: unknown) => {
    await smsc?.stop();
    throw error;
  });
  log('info', 'network simulator started', {
    scenario: scenario.name,
    devices: devices.length,
    speed: scenario.speed,
    seed: scenario.seed,
    coaPort: gateway.coaPort,
    smscPort: smsc?.port,
  });
  const reporter = report(gateway, scenario.statsEverySeconds, (fields) =>
    log('info', 'stats', { ...fields, sms: smsc?.stats() }),
  );
  await waitForEnd(options.duration);
  clearInterval(reporter);
  await smsc?.stop();
  await gateway.stop();
  log('info', 'network simulator stopped', { ...gateway.stats() });
}

/** System id with which the server binds. */
const SYSTEM_ID = 'simcube';
const ALARM_EVERY_MS = 90_000;
/** About 24 days, the longest that a timer can wait. */
const MAX_TIMER_SECONDS = Math.floor((2 ** 31 - 1) / 1_000);

/** Started only if a port was given. */
async function startSmscIfEnabled(
  { smscPort, smscSecretFile }: RunOptions,
  fleet: { devices: readonly SimDevice[]; seed: number },
): Promise<Smsc | undefined> {
  if (smscPort === undefined) return undefined;
  if (smscSecretFile === undefined)
    throw new ScenarioError('Name the file with the password of the SMSC with --smsc-secret-file');
  const password = readFileSync(smscSecretFile, 'utf8').trim();
  const address = { host: '127.0.0.1', port: smscPort };
  return startDeviceSmsc({
    ...fleet,
    ...address,
    systemId: SYSTEM_ID,
    password,
    alarmEveryMs: ALARM_EVERY_MS,
  });
}

function report(
  gateway: Gateway,
  everySeconds: number,
  log: (fields: Readonly<Record<string, unknown>>) => void,
): NodeJS.Timeout {
  let previous: GatewayStats = gateway.stats();
  return setInterval(() => {
    const current = gateway.stats();
    const packetsPerSecond = Math.round(((current.sent - previous.sent) / everySeconds) * 10) / 10;
    previous = current;
    log({ ...current, packetsPerSecond });
  }, everySeconds * 1_000);
}

/** Waits for a signal or the end of the given duration. */
async function waitForEnd(durationSeconds: number | undefined): Promise<void> {
  const end = new AbortController();
  const { signal } = end;
  const timer =
    durationSeconds === undefined ? undefined : setTimeout(() => end.abort(), durationSeconds * 1_000);
  // If the program that started this one is gone, nothing else would stop it.
  for (const name of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(name, () => end.abort());
  // The gateway's timers keep the event loop, and so the program, alive.
  await once(signal, 'abort');
  clearTimeout(timer);
  // Listening for `disconnect` keeps the channel open, and an open channel keeps the program alive.
  process.channel?.unref();
}

const program = new Command('network-sim').description(
  'Simulate a packet gateway with many devices that speaks RADIUS to an AAA server',
);

program
  .command('run', { isDefault: true })
  .description('Play a scenario until stopped')
  .option('--scenario <file>', 'scenario file (JSON)', DEFAULT_SCENARIO)
  .option('--server <address>', 'address of the AAA server', '127.0.0.1')
  .option('--auth-port <port>', 'authentication port', port, 1812)
  .option('--acct-port <port>', 'accounting port', port, 1813)
  .option('--coa-host <address>', 'address to listen on for Disconnect and CoA', '127.0.0.1')
  .option('--coa-port <port>', 'port to listen on for Disconnect and CoA', number(0, 65_535), 3799)
  .option('--secret-env <name>', 'environment variable with the RADIUS secret', 'SIMCUBE_SIM_SECRET')
  .option('--secret-file <file>', 'file with the RADIUS secret')
  .option(
    '--speed <factor>',
    'how many times faster than wall time device time runs',
    number(0.01, 3_600, false),
  )
  .option('--seed <number>', 'the same seed gives the same choices', number(0, 2 ** 32))
  .option('--devices <file>', 'device list (CSV); without it, the scenario generates one')
  .option('--max-active <number>', 'maximum number of concurrent sessions', number(1, 200_000))
  .option(
    '--smsc-port <port>',
    'also run the SMSC of the devices (SMPP 3.4), on this port of 127.0.0.1',
    number(0, 65_535),
  )
  .option('--smsc-secret-file <file>', `file with the password of the ESME ${SYSTEM_ID}`)
  .option('--duration <seconds>', 'stop after this time', number(1, MAX_TIMER_SECONDS))
  .action(run);

program
  .command('devices')
  .description('Write a generated device list as CSV')
  .option('--count <number>', 'number of devices', number(1, MAX_DEMO_DEVICES), 5_000)
  .addOption(seedOption())
  .action(async ({ count, seed }: { count: number; seed: number }) => {
    const columns = ['iccid', 'imsi', 'msisdn', 'imei', 'apn', 'kind', 'home_plmn', 'name', 'tags'] as const;
    const rows = demoDevices(count, seed).map(({ homePlmn, ...device }) => ({
      ...device,
      home_plmn: homePlmn,
    }));
    await writeCsv({ columns, rows, to: process.stdout });
  });

program
  .command('history')
  .description('Write generated usage records as CSV')
  .option('--days <number>', 'number of days', number(1, 3_660), 183)
  .option('--detail-days <number>', 'how many of the last days have one record per hour', number(0, 3_660), 3)
  .option('--until <time>', 'end of the history (ISO 8601); default: now', isoTime)
  .option('--count <number>', 'number of generated devices', number(1, MAX_DEMO_DEVICES), 5_000)
  .option('--devices <file>', 'device list (CSV) instead of generated devices')
  .addOption(seedOption())
  .action(
    async (options: {
      days: number;
      detailDays: number;
      until?: number;
      count: number;
      devices?: string;
      seed: number;
    }) => {
      const { days, detailDays, seed, count, devices: file, until = Date.now() } = options;
      const devices = file === undefined ? demoDevices(count, seed) : await readDeviceFile(file);
      const rows = history({ devices, seed, untilMs: until, days, detailDays });
      await writeCsv({ columns: historyColumns, rows, to: process.stdout });
    },
  );

program
  .command('cells')
  .description('Write the cells with their coordinates as CSV')
  .action(async () => {
    const columns = ['cell', 'mcc', 'mnc', 'operator', 'country', 'city', 'latitude', 'longitude'] as const;
    const rows = cells.map(({ key, operator, city, latitude, longitude }) => ({
      cell: key,
      mcc: operator.mcc,
      mnc: operator.mnc,
      operator: operator.name,
      country: operator.country,
      city: city.name,
      latitude,
      longitude,
    }));
    await writeCsv({ columns, rows, to: process.stdout });
  });

function isoTime(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Expected a time in ISO 8601.');
  return ms;
}

/** If the reader closes the pipe early (`| head`), the program ends without an error message. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  await program.parseAsync();
} catch (error) {
  const isExpected =
    error instanceof ScenarioError || error instanceof DeviceFileError || isSystemError(error);
  console.error(isExpected ? error.message : error);
  process.exitCode = 1;
}

/** A missing file or a port in use: the message is sufficient, without a stack trace. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
