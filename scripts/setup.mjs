// What `npm start` and `npm test` do first, with nothing but Node: install, and build what is out of date.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** How our programs are run. A roomy young generation: records live for a batch, and must not grow old in it. */
export const nodeFlags = ['--enable-source-maps', '--min-semi-space-size=16', '--max-semi-space-size=32'];

const stamps = join(root, 'node_modules', '.simcube');

/** Runs a program with our standard output; ends this one with its exit code when it fails. */
export const runOrExit = (command, args, options = {}) => {
  const { status, error, signal } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) throw error;
  if (status !== 0) {
    console.error(`${command} ${args.slice(0, 3).join(' ')} failed (${signal ?? status})`);
    process.exit(status ?? 1);
  }
};

export const checkNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`SimCube needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
};

/**
 * Installs what the lockfile says when it is not what was installed last. Not `npm ci`: that insists on the optional
 * packages of every platform, which a registry that carries only this one's does not have.
 */
export const install = () => {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (readStamp('installed') === wanted) return;
  console.log('Installing packages …');
  const npm = process.env.npm_execpath;
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  if (npm?.endsWith('.js') || npm?.endsWith('.cjs')) runOrExit(process.execPath, [npm, ...args]);
  else runOrExit('npm', args);
  writeStamp('installed', wanted);
};

/** Runs `make` when any file below `directories` has changed since it last did. */
export const whenChanged = (name, directories, make) => {
  const hash = createHash('sha256');
  for (const directory of [...directories, 'package-lock.json']) fingerprint(hash, join(root, directory));
  const wanted = hash.digest('hex');
  if (readStamp(name) === wanted) return;
  make();
  writeStamp(name, wanted);
};

const fingerprint = (hash, path) => {
  const info = statSync(path);
  if (!info.isDirectory()) {
    hash.update(`${path}\0`).update(readFileSync(path));
    return;
  }
  for (const entry of readdirSync(path).sort()) {
    if (entry !== 'node_modules' && entry !== 'dist') fingerprint(hash, join(path, entry));
  }
};

const readStamp = (name) => {
  const path = join(stamps, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
};

const writeStamp = (name, value) => {
  mkdirSync(stamps, { recursive: true });
  writeFileSync(join(stamps, name), value);
};
