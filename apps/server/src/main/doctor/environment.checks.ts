import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hourMs } from '@simcube/contract/time';
import { createTransport } from 'nodemailer';
import { listClocks, listHeardGateways } from '../../modules/aaa/index.ts';
import { listConnectionStates } from '../../modules/sms/index.ts';
import { hasConsole } from '../../platform/http/index.ts';
import { smtpOptions } from '../../platform/mail/index.ts';
import { OutboundError } from '../../platform/outbound/index.ts';
import { mapsOf } from '../maps.ts';
import { type Check, fail, ok, skipped, warn } from './check.ts';

const gib = 2 ** 30;
const disk = { warnShare: 0.15, failShare: 0.05, failBytes: gib };
const silentMs = hourMs;

const settings: Check = {
  name: 'settings',
  needsDatabase: false,
  run: async ({ env }) => {
    if (env.faults.length > 0)
      return fail(
        `Invalid: ${env.faults.map(({ name, problem }) => `${name} ${problem}`).join('; ')}`,
        `Correct them in the environment or in ${env.environmentFile}: no server starts, and what depends on them is not checked`,
      );
    if (env.demoFault !== undefined)
      return fail(
        [env.demoFault, ...env.warnings].join('; '),
        `Set it in the environment or in ${env.environmentFile}: no server starts without it`,
      );
    if (env.warnings.length > 0)
      return warn(env.warnings.join('; '), `Correct them in the environment or in ${env.environmentFile}`);
    if (env.publicUrl?.startsWith('https:') && env.http.trustProxy === false)
      return warn(
        'SIMCUBE_PUBLIC_URL has https, but SIMCUBE_TRUST_PROXY is 0: all people behind the reverse proxy share one address in limits, logs and the audit trail',
        'Set SIMCUBE_TRUST_PROXY to the number of reverse proxies in front, or to their networks',
      );
    return !env.demo && env.publicUrl === undefined
      ? warn(
          'SIMCUBE_PUBLIC_URL is not set: links in mails point to this machine',
          'Set it to the address of the console',
        )
      : ok(`All settings are known and valid (roles ${env.roles.join(', ')})`);
  },
};

const webConsole: Check = {
  name: 'console',
  needsDatabase: false,
  settings: ['SIMCUBE_ROLES'],
  run: async ({ env }) => {
    if (!env.roles.includes('web')) return skipped('None of the roles set here serves the console');
    return (await hasConsole(env.webDir))
      ? ok(`The console is in ${env.webDir}`)
      : fail(
          `There is no console in ${env.webDir}: people who open its address see nothing`,
          'Build it (npm run build), or set SIMCUBE_WEB_DIR to its directory',
        );
  },
};

const freeDisk: Check = {
  name: 'disk',
  needsDatabase: false,
  run: async ({ env, readDisk }) => {
    const { free, total } = await readDisk(env.dataDir);
    const said = `${(free / gib).toFixed(1)} of ${(total / gib).toFixed(1)} GiB are free on the disk of ${env.dataDir}`;
    const stops = env.databaseUrl === undefined ? ': a full disk stops the embedded database' : '';
    const mend = `Free space, or move the data directory${stops}`;
    if (free < disk.failBytes || free < total * disk.failShare) return fail(said, mend);
    return free < total * disk.warnShare ? warn(said, mend) : ok(said);
  },
};

const archive: Check = {
  name: 'archive',
  needsDatabase: false,
  settings: ['SIMCUBE_ROLES'],
  run: async ({ env: { archiveDir, roles } }) => {
    if (archiveDir === undefined)
      return skipped('Months past their retention are dropped: SIMCUBE_ARCHIVE_DIR is not set');
    if (!roles.includes('worker')) return skipped('None of the roles set here writes the archive');
    const fault = await faultOfDirectory(archiveDir);
    return fault === undefined
      ? ok(`The user of this command can write months past their retention to ${archiveDir}`)
      : fail(
          `Months past their retention can’t be written to ${archiveDir} (${fault}): they stay in the database`,
          'Create the directory, writable by the user that the server runs as; a systemd unit also needs ReadWritePaths',
        );
  },
};

/** Why no files can be created in a directory, which itself may not exist yet; undefined if they can. */
const faultOfDirectory = async (directory: string): Promise<string | undefined> => {
  try {
    if (!(await stat(directory)).isDirectory()) return 'ENOTDIR';
    await access(directory, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const parent = dirname(directory);
    return code === 'ENOENT' && parent !== directory ? faultOfDirectory(parent) : code;
  }
};

const gateways: Check = {
  name: 'gateways',
  needsDatabase: true,
  run: async ({ pool, clock }) => {
    const all = await listHeardGateways(pool);
    if (all.length === 0)
      return warn('No gateway may send RADIUS packets', 'Add one: simcube gateways add NAME --network CIDR');
    const since = clock.now().getTime() - silentMs;
    const silent = all.filter(({ heardAt }) => heardAt === null || heardAt.getTime() < since);
    return silent.length > 0
      ? warn(
          `No session was reported within an hour by ${silent.map(({ name }) => name).join(', ')}`,
          'Check the gateway, and the refused packets: simcube gateways heard',
        )
      : ok(`All gateways (${all.length}) reported sessions within the last hour`);
  },
};

const clockToleranceMs = 60_000;

const gatewayClocks: Check = {
  name: 'gateway clocks',
  needsDatabase: true,
  run: async ({ pool, clock }) => {
    const all = await listClocks(pool, clock.now());
    if (all.length === 0) return skipped('No gateway has reported with its own time within the last hour');
    const wrong = all.filter(({ lagMs }) => Math.abs(lagMs) > clockToleranceMs);
    const shown = wrong.slice(0, 10).map(({ gateway, nas, lagMs }) => {
      const seconds = Math.round(Math.abs(lagMs) / 1000);
      return `${gateway} (${nas}): ${seconds} s ${lagMs > 0 ? 'behind' : 'ahead'}`;
    });
    return wrong.length > 0
      ? warn(
          `The clocks of gateways are wrong, and with them the times of usage and the connection of SIMs: ${shown.join(', ')}`,
          'Synchronise them by NTP; Event-Timestamp is in UTC. A gateway that has only delivered old records within the last hour also appears here',
        )
      : ok(`The clocks of all gateways that report their time (${all.length}) are right to a minute`);
  },
};

const hintToAdd = (bind: string): string => `Add one: simcube smsc add NAME --bind ${bind}`;

const smsc: Check = {
  name: 'SMSC',
  needsDatabase: true,
  run: async ({ pool }) => {
    const all = await listConnectionStates(pool);
    if (all.length === 0) return skipped('No connection to an SMSC is set up');
    const lost = all.filter(({ state }) => state !== 'bound');
    const names = lost.map(({ name, state, state_error }) => `${name} (${state_error ?? state})`).join(', ');
    const mend =
      'A server with the role worker binds them: simcube smsc status shows since when they have been lost';
    if (lost.length === all.length) return fail(`No connection to an SMSC is bound: ${names}`, mend);
    const bound = all.filter(({ state }) => state === 'bound');
    const lostSuffix = names && `: ${names}`;
    if (bound.every(({ bind }) => bind === 'receiver'))
      return fail(
        `No connection that sends to an SMSC is bound${lostSuffix}`,
        names ? mend : hintToAdd('transmitter'),
      );
    if (bound.every(({ bind }) => bind === 'transmitter'))
      return warn(
        `No connection that receives from an SMSC is bound${lostSuffix}`,
        names ? mend : hintToAdd('receiver'),
      );
    return lost.length > 0
      ? warn(`Not bound: ${names}`, mend)
      : ok(`All connections to SMSCs (${all.length}) are bound`);
  },
};

const mail: Check = {
  name: 'mail',
  needsDatabase: false,
  settings: ['SIMCUBE_SMTP_URL', 'SIMCUBE_MAIL_FROM'],
  run: async ({ env }) => {
    const { smtpUrl } = env.mail;
    if (smtpUrl === undefined)
      return env.demo
        ? skipped('Mails are written to files')
        : warn('Mails are written to files', 'Set SIMCUBE_SMTP_URL and SIMCUBE_MAIL_FROM');
    const transport = createTransport(smtpOptions(smtpUrl));
    try {
      await transport.verify();
      return ok('The mail server accepts the sign-in');
    } catch (error) {
      const { code = 'no answer', message } = error as { code?: string; message: string };
      // Once the sign-in has begun, the message may contain the name of the account.
      const reason = code === 'ESOCKET' ? `${code}: ${withoutAddress(message)}` : code;
      return fail(
        `The mail server can’t be used (${reason})`,
        'Check SIMCUBE_SMTP_URL, its certificate and the firewall',
      );
    } finally {
      transport.close();
    }
  },
};

/** The error of a connection: its code, or what a certificate lacks, before the host that is named. */
const withoutAddress = (message: string): string =>
  /\bE[A-Z]{3,}\b/.exec(message)?.[0] ?? message.split(':', 1)[0] ?? '';

const outbound: Check = {
  name: 'outbound',
  needsDatabase: false,
  settings: ['SIMCUBE_MAPS_URL', 'SIMCUBE_OUTBOUND_NETWORKS'],
  run: async ({ env }) => {
    const maps = mapsOf(env);
    if (!maps) return skipped('No service on the internet is configured; test API targets in Settings');
    try {
      const { status } = await maps.request({
        url: new URL(`${maps.url}/status`),
        maxBytes: 65_536,
        timeoutMs: 4_000,
        discardBody: true,
      });
      return status < 500
        ? ok('The maps service responds')
        : warn(`The maps service responds with ${status}`, 'Check that service');
    } catch (error) {
      const fault = error instanceof OutboundError ? error.fault : 'connection';
      return fail(
        `The maps service can’t be reached (${fault})`,
        'Check SIMCUBE_MAPS_URL and SIMCUBE_OUTBOUND_NETWORKS',
      );
    }
  },
};

export const environmentChecks = [
  settings,
  webConsole,
  freeDisk,
  archive,
  gateways,
  gatewayClocks,
  smsc,
  mail,
  outbound,
];
