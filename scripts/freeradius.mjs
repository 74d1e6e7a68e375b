// Tests and the bench are judged by FreeRADIUS. Installed where that is a matter of course: by root, on Debian.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const programs = ['/usr/sbin/freeradius', '/usr/bin/radclient'];
const packages = ['freeradius', 'freeradius-utils', 'freeradius-postgresql'];
const installTimeoutMs = 5 * 60_000;

const isThere = () => programs.every((program) => existsSync(program));

/** Installs FreeRADIUS if need be. @returns why it is not there, or nothing when it is */
export const provideFreeRadius = () => {
  if (isThere()) return undefined;
  const by = `apt-get install ${packages.join(' ')}`;
  if (!existsSync('/usr/bin/apt-get')) return 'it is not installed, and this is no Debian';
  if (process.getuid() !== 0) return `it is not installed, and only root may do it: ${by}`;
  console.log('Installing FreeRADIUS …');
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
  return isThere() ? undefined : `installing it failed: ${by}`;
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
  const missing = provideFreeRadius();
  if (missing) console.error(`FreeRADIUS: ${missing}`);
}
