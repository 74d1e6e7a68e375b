// Tests and the bench are judged by programs of other authors. Installed where that is a matter of course: by root, on Debian.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** What each peer is recognised by: its files, its packages, and the names of the tests that need it. */
const peers = {
  FreeRADIUS: {
    files: ['/usr/sbin/freeradius', '/usr/bin/radclient'],
    packages: ['freeradius', 'freeradius-utils', 'freeradius-postgresql'],
    tests: /FreeRADIUS|radclient/,
  },
  Kannel: { files: ['/usr/sbin/bearerbox', '/usr/sbin/smsbox'], packages: ['kannel'], tests: /Kannel/ },
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
 * Installs the peers of these names, all by default, if need be.
 * @returns those that are not there: name, why, and which tests need it
 */
export const providePeers = (names = Object.keys(peers)) => {
  const missing = names.filter(isMissing);
  if (missing.length === 0) return [];
  const packages = missing.flatMap((name) => peers[name].packages);
  const why = install(missing, packages);
  return missing.filter(isMissing).map((name) => ({
    name,
    tests: peers[name].tests,
    why: `${why}: apt-get install ${packages.join(' ')}`,
  }));
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
  withoutStarting(() => {
    apt('update');
    apt('install', '--no-install-recommends', ...packages);
  });
  return 'installing failed';
};

/** Debian starts a service that it installs, here on the ports of RADIUS; its policy file forbids that meanwhile. */
const withoutStarting = (work) => {
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
  for (const { name, why } of missing) console.error(`${name}: ${why}`);
}
