import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm, statfs, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDirectory, startCluster } from '../cluster.ts';
import { waitUntilAnswering } from './database.ts';
import type { Drill } from './drill.ts';
import { withInstallation } from './installation.ts';

const diskBytes = 1_200_000_000;
const fullMs = 8000;
const recoveryMs = 8000;
const pieceBytes = 1 << 20;

/**
 * The database's disk is repeatedly filled and freed again. The disk is a separate file system in memory, which only root can
 * mount (Linux).
 */
export const disk: Drill = async (run) => {
  if (process.getuid?.() !== 0)
    throw new Error('The drill `disk` mounts a small file system, which needs root');
  const directory = await makeDirectory();
  // Next to the directory, which is removed with the installation.
  const mountPoint = await makeDirectory();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', mountPoint]);
  try {
    await moveDatabase(directory, mountPoint);
    const ballast = join(mountPoint, 'ballast');
    return await withInstallation(run, {
      directory,
      during: async (installation) => {
        let filled = 0;
        do {
          await sleep(recoveryMs);
          const bytes = await fillDisk(mountPoint, ballast);
          filled += 1;
          run.progress(`the disk is full, by ${Math.round(bytes / 1_000_000)} MB of others`);
          await sleep(fullMs);
          await rm(ballast);
          await waitUntilAnswering(installation);
        } while (!installation.until.aborted);
        await sleep(recoveryMs);
        run.note(`${filled} times the database's disk was full for ${fullMs / 1000} s.`);
      },
    });
  } finally {
    execFileSync('umount', ['--lazy', mountPoint]);
    await rm(mountPoint, { recursive: true, force: true });
    await rm(directory, { recursive: true, force: true });
  }
};

/** Moves only the cluster: logs and the SMSC's file are on another disk. */
const moveDatabase = async (directory: string, mountPoint: string): Promise<void> => {
  const cluster = await startCluster({ existing: directory });
  await cluster.shutDown();
  const [original, moved] = [join(directory, 'postgres'), join(mountPoint, 'postgres')];
  execFileSync('cp', ['-a', original, moved]);
  await rm(original, { recursive: true });
  await symlink(moved, original);
};

/** Writes until the disk is full. @returns the octets written */
const fillDisk = async (mountPoint: string, path: string): Promise<number> => {
  const stream = createWriteStream(path);
  const failed = once(stream, 'error');
  const piece = Buffer.alloc(pieceBytes);
  const { bavail, bsize } = await statfs(mountPoint);
  const pieces = Math.ceil((bavail * bsize) / pieceBytes) + 1;
  for (let index = 0; index < pieces && !stream.errored; index += 1) {
    if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), failed]);
  }
  await failed;
  return stream.bytesWritten;
};
