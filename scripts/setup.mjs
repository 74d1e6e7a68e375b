// First step of `npm start` and `npm test`, needing only Node: install packages, and build what is out of date.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { withLock } from './lock.mjs';
import { root, runNpm, say } from './run.mjs';

/** Node flags of our programs. A large young generation: records live for one batch and must not be promoted. */
export const nodeFlags = ['--enable-source-maps', '--min-semi-space-size=16', '--max-semi-space-size=32'];

/** Node flags of commands: they run next to the server, so their heap may grow only by half, not fourfold, before a collection. */
export const commandFlags = [...nodeFlags, '--heap-growing-percent=50'];

/** What was installed, next to the packages. */
const installed = join(root, 'node_modules', '.simcube', 'installed.json');
/** Not inside node_modules, which an installation removes. */
const locks = join(root, '.cache', 'setup');

/** As `engines` in package.json: long-term versions, and versions after the newest of them. */
export const isSupported = (version) => {
  const [major, minor] = version.split('.').map(Number);
  return major >= 24 || (major === 22 && minor >= 13) || (major === 20 && minor >= 19);
};

export const checkNode = () => {
  const version = process.versions.node;
  if (isSupported(version)) return;
  say(`SimCube needs Node.js 20.19, 22.13, or 24 or newer; this is ${version}.`, 'error');
  process.exit(1);
};

/**
 * Installs exactly what the lockfile says, if that differs from the last installation; one process at a time. Includes
 * development packages regardless of NODE_ENV, because the build needs them.
 */
export const install = async () => {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const isInstalled = () => readStamp(installed)?.wanted === wanted;
  if (isInstalled()) return;
  await withLock(locks, async () => {
    if (isInstalled()) return;
    say('Installing packages …');
    await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
    writeStamp(installed, { wanted });
  });
};

/**
 * Rebuilds the directory `output` if anything below `sources` has changed since the last build, or a file is missing; one
 * process at a time. `make` writes into a new directory, which replaces the output once it is complete: a build that fails or
 * is killed leaves the last output unchanged, and is repeated.
 */
export const whenChanged = async ({ name, sources, output, make }) => {
  const wanted = fingerprintOf([...sources, 'scripts/build.mjs', 'package-lock.json']);
  const cache = join(root, dirname(output), '.cache');
  // Next to the output, not to the packages, which checkouts may share.
  const built = join(cache, `${name}.json`);
  const isUpToDate = () => {
    const stamp = readStamp(built);
    return stamp?.wanted === wanted && stamp.files.every((file) => existsSync(join(root, output, file)));
  };
  if (isUpToDate()) return;
  await withLock(locks, async () => {
    if (isUpToDate()) return;
    const [fresh, last] = [join(cache, 'fresh'), join(cache, 'last')];
    for (const directory of [fresh, last]) rmSync(directory, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true });
    await make(fresh);
    if (existsSync(join(root, output))) renameSync(join(root, output), last);
    renameSync(fresh, join(root, output));
    rmSync(last, { recursive: true, force: true });
    writeStamp(built, { wanted, files: filesBelow(join(root, output)) });
  });
};

const generatedDirectories = ['node_modules', 'dist', '.cache'];

const fingerprintOf = (paths) => {
  const hash = createHash('sha256');
  const add = (path) => {
    if (statSync(path).isDirectory()) {
      for (const entry of readdirSync(path).sort())
        if (!generatedDirectories.includes(entry)) add(join(path, entry));
    } else hash.update(`${relative(root, path)}\0`).update(readFileSync(path));
  };
  for (const path of paths) add(join(root, path));
  return hash.digest('hex');
};

export const filesBelow = (directory) =>
  readdirSync(directory, { recursive: true }).filter((name) => statSync(join(directory, name)).isFile());

const readStamp = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

const writeStamp = (path, stamp) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(stamp));
};
