// Tests and the bench use programs by other authors as peers. They are installed automatically only for root on Debian.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Path of Kannel's SMPP server, whether or not it exists: `OPENSMPPBOX`, otherwise on the path. */
export const opensmppbox =
  process.env.OPENSMPPBOX ||
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((directory) => join(directory, 'opensmppbox'))
    .find((program) => existsSync(program)) ||
  '/usr/local/sbin/opensmppbox';

/**
 * Peers: the files by which each is recognised, its packages, and the names of the tests that need it. A peer without packages is
 * never installed; `reason` explains how to get it.
 */
const peers = {
  FreeRADIUS: {
    files: ['/usr/sbin/freeradius', '/usr/bin/radclient'],
    packages: ['freeradius', 'freeradius-utils', 'freeradius-postgresql'],
    tests: /FreeRADIUS|radclient/,
  },
  Kannel: { files: ['/usr/sbin/bearerbox', '/usr/sbin/smsbox'], packages: ['kannel'], tests: /Kannel/ },
  opensmppbox: {
    files: [opensmppbox, '/usr/sbin/bearerbox'],
    reason: 'Debian has no package of it: packages/smpp/README.md says how it is built',
    tests: /opensmppbox/,
  },
  'Net::SMPP': {
    files: ['/usr/share/perl5/Net/SMPP.pm'],
    packages: ['libnet-smpp-perl'],
    tests: /Net::SMPP/,
  },
  tshark: { files: ['/usr/bin/tshark', '/usr/bin/text2pcap'], packages: ['tshark'], tests: /tshark/ },
};
const installTimeoutMs = 5 * 60_000;

const isMissing = (name) => !peers[name].files.every((file) => existsSync(file));

/**
 * Installs the named peers, all by default, if they are missing.
 * @returns those that are still missing: name, reason, and the tests that need them
 */
export const providePeers = (names = Object.keys(peers)) => {
  const installable = names.filter((name) => isMissing(name) && peers[name].packages);
  const packages = installable.flatMap((name) => peers[name].packages);
  const failure =
    installable.length > 0 && `${install(installable, packages)}: apt-get install ${packages.join(' ')}`;
  return names.filter(isMissing).map((name) => {
    const { tests, reason = failure } = peers[name];
    return { name, tests, reason };
  });
};

const install = (names, packages) => {
  if (!existsSync('/usr/bin/apt-get')) return 'not installed, and this is no Debian';
  if (process.getuid() !== 0) return 'not installed, and only root may do it';
  console.log(`Installing ${names.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) =>
    spawnSync('apt-get', ['-y', '-o', 'DPkg::Lock::Timeout=60', ...args], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: installTimeoutMs,
    });
  withoutStartingServices(() => {
    apt('update');
    apt('install', '--no-install-recommends', ...packages);
  });
  return 'installing failed';
};

/** Debian starts services on installation, here on the RADIUS ports; a policy file prevents that during the installation. */
const withoutStartingServices = (work) => {
  const policy = '/usr/sbin/policy-rc.d';
  if (existsSync(policy)) return work();
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    work();
  } finally {
    rmSync(policy);
  }
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , ...names] = process.argv;
  const missing = providePeers(names.length > 0 ? names : undefined);
  for (const { name, reason } of missing) console.error(`${name}: ${reason}`);
}
