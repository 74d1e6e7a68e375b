import { createHash } from 'node:crypto';
import { addToPools } from '../../modules/pool/index.ts';
import { importCdrs } from '../../modules/usage/index.ts';
import { inTransaction, readInstallation, writeInstallation } from '../../platform/db/index.ts';
import { findNearQuota, findSimUsage } from './demo.queries.ts';
import type { DemoContext } from './demo-maker.ts';
import { storyTag } from './demo-rules.ts';

const storyKey = 'demo_story';
const megabyte = 2 ** 20;

/**
 * Lets the member of a pool that is closest to its quota use it up as the demonstration begins, with an
 * ordinary record: it is then over its quota on the dashboard, in its records and its pool, a rule mails and
 * tags it, and a developer receives both as events. It already has messages and bills. After a restart it is
 * the same SIM, once.
 */
export const exhaustQuota = async (
  { pool, clock }: Pick<DemoContext, 'pool' | 'clock'>,
  { orgId }: { orgId: number },
): Promise<void> => {
  const storedIccid = (await readInstallation(pool, [storyKey])).get(storyKey);
  const iccid = storedIccid ?? (await findNearQuota(pool, { orgId, tag: storyTag }));
  if (iccid === undefined) return;
  if (storedIccid === undefined)
    await inTransaction(pool, (tx) => writeInstallation(tx, { [storyKey]: iccid }));
  const sim = await findSimUsage(pool, iccid);
  if (!sim || sim.left < 0) return;
  const at = clock.now().toISOString();
  const { mcc, mnc } = sim;
  const text = `iccid,record_id,ended_at,up_bytes,down_bytes,mcc,mnc\n${iccid},${storyKey},${at},0,${sim.left + megabyte},${mcc},${mnc}\n`;
  await importCdrs({ pool, clock, countForPools: addToPools, source: sourceOf(text) });
};

const sourceOf = (text: string) => {
  const octets = Buffer.from(text);
  return {
    name: `${storyKey}.csv`,
    size: octets.length,
    hash: createHash('sha256').update(octets).digest(),
    async *open(from: number) {
      yield octets.subarray(from);
    },
  };
};
