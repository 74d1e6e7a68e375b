import type { Connection, SimEventKind } from '@simcube/contract/sim';
import type pg from 'pg';
import { groupBy } from '../../../platform/collections/index.ts';
import { emitMany, factsByOrganisation } from '../../../platform/outbox/index.ts';
import { connectionOf } from '../../sim/index.ts';
import {
  hoursPerFact,
  simsPerFact,
  type UsageSums,
  usageRecorded,
  usageReopened,
  usageThresholdCrossed,
  usageWatchReached,
} from '../../usage/index.ts';
import {
  changesPerFact,
  heardWithoutService,
  imeiChanged,
  networkEntered,
  sessionChanged,
} from '../aaa.events.ts';
import type { Changes, SimChange } from './changes.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/** Emits the facts of a batch, one row for each organisation and thousand SIMs. */
export const emitFacts = (client: Client, changes: Changes, now: number): Promise<unknown>[] => {
  const withUsage: SimChange[] = [];
  const changed: SimChange[] = [];
  for (const change of changes.sims.values()) {
    if (change.bytes > 0) withUsage.push(change);
    if (
      change.attachmentChanged ||
      change.sim.connection !== change.baseConnection ||
      change.kinds.length > 0
    )
      changed.push(change);
  }
  const at = new Date(now).toISOString();
  const work: Promise<unknown>[] = [];
  if (withUsage.length > 0) {
    const hours = hoursOf(changes.orgHours);
    const facts = factsByOrganisation(
      groupBy(withUsage, orgOfSim),
      simsPerFact,
      (sims, { orgId, isFirst }) => ({
        at,
        sims: sims.map(({ sim, bytes }): [string, number, number] => [sim.iccid, bytes, sim.used]),
        hours: isFirst ? hours.get(orgId) : [],
      }),
    );
    work.push(emitMany(client, usageRecorded, facts));
  }
  if (changed.length > 0) {
    const facts = factsByOrganisation(groupBy(changed, orgOfSim), changesPerFact, (sims) => ({
      at,
      changes: groupByChange(sims),
    }));
    work.push(emitMany(client, sessionChanged, facts));
  }
  if (changes.crossings.length > 0) {
    const facts = changes.crossings.map(({ orgId, ...crossing }) => ({
      orgId,
      payload: { ...crossing, at: new Date(crossing.at).toISOString() },
    }));
    work.push(emitMany(client, usageThresholdCrossed, facts));
  }
  if (changes.reopened.length > 0) {
    const facts = changes.reopened.map(({ orgId, ...payload }) => ({ orgId, payload }));
    work.push(emitMany(client, usageReopened, facts));
  }
  if (changes.watched.length > 0) {
    const facts = factsByOrganisation(groupBy(changes.watched, orgOf), changesPerFact, (sims) => ({
      sims: sims.map(({ simId, at: recordAt }): [number, number] => [simId, recordAt]),
    }));
    work.push(emitMany(client, usageWatchReached, facts));
  }
  if (changes.devices.length > 0) {
    const facts = factsByOrganisation(groupBy(changes.devices, orgOf), changesPerFact, (sims) => ({
      sims: sims.map(({ orgId: _, at: changedAt, ...sim }) => ({
        ...sim,
        at: new Date(changedAt).toISOString(),
      })),
    }));
    work.push(emitMany(client, imeiChanged, facts));
  }
  if (changes.networksEntered.size > 0) {
    const facts = [...changes.networksEntered.values()].map(({ orgId, ...payload }) => ({ orgId, payload }));
    work.push(emitMany(client, networkEntered, facts));
  }
  if (changes.withoutService.length > 0) {
    const facts = factsByOrganisation(groupBy(changes.withoutService, orgOf), changesPerFact, (sims) => ({
      sims: sims.map(({ simId, reason }) => ({ simId, reason })),
    }));
    work.push(emitMany(client, heardWithoutService, facts));
  }
  return work;
};

const orgOf = ({ orgId }: { orgId: number }): number => orgId;
const orgOfSim = ({ sim }: SimChange): number => sim.orgId;

/** Usage of each organisation by hour; undefined if it has more hours than fit in a fact. */
const hoursOf = (sums: UsageSums): Map<number, [number, number][] | undefined> => {
  const orgs = new Map<number, Map<number, number>>();
  for (let position = 0; position < sums.length; position += 1) {
    const org = sums.owner[position] as number;
    const hour = sums.time[position] as number;
    const bytes = (sums.up[position] as number) + (sums.down[position] as number);
    const hours = orgs.get(org);
    if (hours) hours.set(hour, (hours.get(hour) ?? 0) + bytes);
    else orgs.set(org, new Map([[hour, bytes]]));
  }
  return new Map([...orgs].map(([org, hours]) => [org, hours.size > hoursPerFact ? undefined : [...hours]]));
};

const groupByChange = (changes: readonly SimChange[]) => {
  const groups = new Map<
    string,
    { iccids: string[]; status: Connection; isNew: boolean; kinds: SimEventKind[]; movedAt?: string }
  >();
  for (const { sim, kinds, movedAt: moved, baseConnection } of changes) {
    const isNew = sim.connection !== baseConnection;
    const movedAt = moved === null ? undefined : new Date(moved).toISOString();
    const key = `${sim.connection} ${isNew} ${kinds.join()} ${movedAt}`;
    const group = groups.get(key);
    if (group) group.iccids.push(sim.iccid);
    else {
      const status = connectionOf(sim.connection);
      groups.set(key, { iccids: [sim.iccid], status, isNew, kinds, ...(movedAt && { movedAt }) });
    }
  }
  return [...groups.values()];
};
