import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints, limits } from '@simcube/contract';
import { exportColumns } from '../../apps/server/src/modules/sim/export/export.views.ts';
import { signIn } from './console-client.ts';
import { addFactDelay, type Wait, watchFactDelay } from './fact-delay.ts';
import { type Fleet, iccidOf } from './fleet.ts';
import { startProduct } from './product.ts';
import { quantile } from './report.ts';
import type { Run } from './run.ts';
import { timeCopy, timeExport } from './task-time.ts';

const budgetRatio = 2;

/**
 * An export of 100,000 SIMs to CSV, requested from a running server and executed by its worker, compared with `psql \copy` of the
 * same columns of the same SIMs (COPY TO STDOUT into a file), in alternating rounds.
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
      const csv = await timeExport(client, fleet, listExport(iccids, 'csv'));
      waits.push(...(await watch.stop()));
      const copy = await timeCopy(fleet, { query: copyOf(fleet, iccids), path: join(dataDir, 'copy.csv') });
      bytes = { csv: csv.bytes, copy: copy.bytes };
      if (round === 0) continue;
      samples.csv.push(csv.milliseconds);
      samples.accepted.push(csv.acceptedMs);
      samples.copy.push(copy.milliseconds);
    }
    const xlsx = await timeExport(client, fleet, listExport(iccids, 'xlsx'));
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

const listExport = (iccids: readonly string[], format: 'csv' | 'xlsx') => ({
  endpoint: endpoints.sim.exportList,
  request: { body: { selection: { iccids }, format } },
});

const copyOf = ({ orgId }: Fleet, iccids: readonly string[]): string => {
  const columns = exportColumns({
    language: 'en-US',
    timeZone: 'UTC',
    now: new Date(),
    neutraliseFormulas: true,
  });
  return `select ${columns.map((column) => column.sql).join(', ')}
    from (select null::numeric as cost, null::text as currency) as e
      cross join sims s join sim_live l on l.sim_id = s.id
      left join networks n on n.plmn = l.plmn left join bundles b on b.id = s.bundle_id
    where s.org_id = ${orgId} and s.iccid = any('{${iccids.join(',')}}'::text[]) order by s.iccid`;
};
