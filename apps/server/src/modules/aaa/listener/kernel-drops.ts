import { readdir, readFile, readlink } from 'node:fs/promises';

const tables = ['/proc/net/udp', '/proc/net/udp6'];

/**
 * Counts datagrams that the kernel has dropped since the socket was bound because its receive buffer was full (Linux,
 * `proc(5)`: `/proc/net/udp`). Only the kernel can count them; they never reached the process.
 * @param port of a socket of this process
 * @returns a function that reads the count; undefined if the system does not report it
 */
export const watchKernelDrops = async (port: number): Promise<(() => Promise<number>) | undefined> => {
  const inode = await inodeOf(port);
  return inode === undefined ? undefined : async () => (await readDrops()).get(inode) ?? 0;
};

/** Other sockets may have the same port on another address. */
const inodeOf = async (port: number): Promise<string | undefined> => {
  const ownInodes = await ownSockets();
  const portSuffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of await readTables()) {
    for (const [local, inode] of rowsOf(table))
      if (local.endsWith(portSuffix) && ownInodes.has(inode)) return inode;
  }
  return undefined;
};

const ownSockets = async (): Promise<Set<string>> => {
  const names = await readdir('/proc/self/fd').catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
};

const readTables = (): Promise<string[]> =>
  Promise.all(tables.map((table) => readFile(table, 'utf8').catch(() => '')));

const readDrops = async (): Promise<Map<string, number>> =>
  new Map((await readTables()).flatMap((table) => [...parseDrops(table)]));

/** Number of dropped datagrams by socket inode. */
export const parseDrops = (table: string): Map<string, number> =>
  new Map(rowsOf(table).map(([, inode, drops]) => [inode, drops]));

/** Address and port in hexadecimal, inode, drops: the second, tenth and last columns. */
const rowsOf = (table: string): [local: string, inode: string, drops: number][] =>
  table.split('\n').flatMap((line) => {
    const columns = line.trim().split(/\s+/);
    const [, local = ''] = columns;
    const [inode = '', drops = ''] = [columns[9], columns[12]];
    return /^\d+$/.test(inode) && /^\d+$/.test(drops) ? [[local, inode, Number(drops)]] : [];
  });
