import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointShape } from '@simcube/contract';
import { to as copyTo } from 'pg-copy-streams';
import { withClient } from './cluster.ts';
import type { ConsoleClient, ConsoleRequest } from './console-client.ts';
import type { Fleet } from './fleet.ts';

export interface ExportTime {
  /** Time from the start of the work to the end of its task. */
  milliseconds: number;
  /** Time until the response to the request. */
  acceptedMs: number;
  bytes: number;
}

/** Requests an export and waits for the end of its task. */
export const timeExport = async (
  client: ConsoleClient,
  fleet: Fleet,
  { endpoint, request }: { endpoint: EndpointShape; request: ConsoleRequest },
): Promise<ExportTime> => {
  const { response, milliseconds: acceptedMs } = await client.call(endpoint, request);
  const { reference_id: reference } = response.data as { reference_id: string };
  return withClient(fleet.databaseUrl, async (database) => {
    for (;;) {
      const { rows } = await database.query<{ status: string; ms: number; bytes: number }>(
        `select status, extract(epoch from ended_at - started_at)::float8 * 1000 as ms, report_bytes::float8 as bytes
         from tasks where id = $1`,
        [Number(reference.slice(1))],
      );
      const [task] = rows;
      if (task?.status === 'issues') throw new Error('The export ended with issues');
      if (task?.status === 'done') return { milliseconds: task.ms, acceptedMs, bytes: task.bytes };
      await sleep(20);
    }
  });
};

/** COPY of a query into a file, like `psql \copy`. */
export const timeCopy = (
  fleet: Fleet,
  { query, path }: { query: string; path: string },
): Promise<{ milliseconds: number; bytes: number }> =>
  withClient(fleet.databaseUrl, async (client) => {
    const startedAt = performance.now();
    await pipeline(
      client.query(copyTo(`copy (${query}) to stdout with (format csv, header)`)),
      createWriteStream(path),
    );
    const milliseconds = performance.now() - startedAt;
    const { size } = await stat(path);
    await rm(path);
    return { milliseconds, bytes: size };
  });
