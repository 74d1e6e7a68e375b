import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints, limits } from '@simcube/contract';
import { to as copyTo } from 'pg-copy-streams';
import { exportColumns } from '../../apps/server/src/modules/sim/export/export.views.ts';
import { withClient } from './cluster.ts';
import { type ConsoleClient, signIn } from './console-client.ts';
import { addFactDelay, type Wait, watchFactDelay } from './fact-delay.ts';
import { type Fleet, iccidOf } from './fleet.ts';
import { startProduct } from './product.ts';
import { quantile } from './report.ts';
import type { Run } from './run.ts';

const budgetRatio = 2;

/**
 * An export of 100,000 SIMs to CSV, ordered at a running server and made by its worker, against what `psql \copy` of the
 * same columns of the same SIMs does: COPY TO STDOUT into a file. Rounds of the two in turns.
 */
export const simExport = async (run: Run): Promise<void> => {
  const { options, progress } = run;
  const { fleet } = await run.bigFleet();
  const sims = Math.min(options.sims, limits.exportRows);
  const iccids = Array.from({ length: sims }, (_, index) => iccidOf(index));
  const dataDir = join(fleet.dataDir, 'export');
  await mkdir(dataDir, { recursive: true });
  const product = await startProduct({ ...fleet, dataDir, roles: 'web,worker', profile: options.profile });
  try {
    const client = await signIn(product, fleet);
    const samples = {
      csv: [] as number[],
      xlsx: [] as number[],
      copy: [] as number[],
      accepted: [] as number[],
    };
    let bytes = { csv: 0, copy: 0 };
    const waits: Wait[] = [];
    // The first round warms both up.
    for (let round = 0; round <= options.rounds; round += 1) {
      progress(`export, round ${round} of ${options.rounds}`);
      const watch = await watchFactDelay(fleet.databaseUrl);
      const csv = await exported(client, fleet, { iccids, format: 'csv' });
      waits.push(...(await watch.stop()));
      const copy = await copied(fleet, { iccids, path: join(dataDir, 'copy.csv') });
      bytes = { csv: csv.bytes, copy: copy.bytes };
      if (round === 0) continue;
      samples.csv.push(csv.milliseconds);
      samples.accepted.push(csv.acceptedIn);
      samples.copy.push(copy.milliseconds);
    }
    const xlsx = await exported(client, fleet, { iccids, format: 'xlsx' });
    const [measured, baseline] = [quantile(samples.csv, 0.5), quantile(samples.copy, 0.5)];
    run.add({
      what: `${sims.toLocaleString('en-US')} SIMs to CSV`,
      measured,
      baseline,
      unit: 'ms',
      ratio: measured / baseline,
      budget: `${budgetRatio} ×`,
      met: measured <= baseline * budgetRatio,
      details: { 'accepted in, ms': Math.round(quantile(samples.accepted, 0.5)), bytes: bytes.csv },
    });
    run.add({
      what: 'the same to XLSX',
      measured: xlsx.milliseconds,
      unit: 'ms',
      details: { bytes: xlsx.bytes },
    });
    addFactDelay(run, 'a fact waits at most, while CSV is made', waits);
    run.note(
      'From the start of the work to the end of its task, the file stored in the database; baseline: ' +
        `COPY … TO STDOUT of the same columns into a file (${bytes.copy} bytes), as psql \\copy does. Medians.`,
    );
  } finally {
    await product.stop();
  }
};

const exported = async (
  client: ConsoleClient,
  fleet: Fleet,
  { iccids, format }: { iccids: string[]; format: 'csv' | 'xlsx' },
): Promise<{ milliseconds: number; acceptedIn: number; bytes: number }> => {
  const { answer, milliseconds: acceptedIn } = await client.call(endpoints.sim.exportList, {
    body: { selection: { iccids }, format },
  });
  const { reference_id: reference } = answer.data as { reference_id: string };
  return withClient(fleet.databaseUrl, async (database) => {
    for (;;) {
      const { rows } = await database.query<{ status: string; ms: number; bytes: number }>(
        `select status, extract(epoch from ended_at - started_at)::float8 * 1000 as ms, report_bytes::float8 as bytes
         from tasks where id = $1`,
        [Number(reference.slice(1))],
      );
      const [task] = rows;
      if (task?.status === 'issues') throw new Error('The export ended with issues');
      if (task?.status === 'done') return { milliseconds: task.ms, acceptedIn, bytes: task.bytes };
      await sleep(20);
    }
  });
};

const copied = (
  fleet: Fleet,
  { iccids, path }: { iccids: string[]; path: string },
): Promise<{ milliseconds: number; bytes: number }> =>
  withClient(fleet.databaseUrl, async (client) => {
    const columns = exportColumns({ language: 'en-US', timeZone: 'UTC', neutral: true });
    const query = `select ${columns.map((column) => column.sql).join(', ')}
      from sims s join sim_live l on l.sim_id = s.id
        left join networks n on n.plmn = l.plmn left join bundles b on b.id = s.bundle_id
      where s.org_id = ${fleet.orgId} and s.iccid = any('{${iccids.join(',')}}'::text[]) order by s.iccid`;
    const begin = performance.now();
    await pipeline(
      client.query(copyTo(`copy (${query}) to stdout with (format csv, header)`)),
      createWriteStream(path),
    );
    const milliseconds = performance.now() - begin;
    const { size } = await stat(path);
    await rm(path);
    return { milliseconds, bytes: size };
  });
