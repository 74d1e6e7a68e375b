import { limits } from '@simcube/contract';
import { tagSchema } from '@simcube/contract/sim';
import { z } from 'zod';
import type { Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { defineOperation, type Operation, type OperationWork } from '../../task/index.ts';
import { recordSimEvents, type SimEventContent, simEvent } from '../events/sim-events.queries.ts';
import { simItems } from '../ordering/sim-items.ts';
import {
  deviceNameRule,
  notesRule,
  type OperationRule,
  type SimFacts,
  tagsAfter,
  tagsRule,
  updateInfoRule,
} from '../ordering/sim-operation.rules.ts';
import { type SimBefore, undoOf } from '../ordering/undo.rules.ts';
import { eventCauseOf, lockAllowedSims, simsPerChunk } from '../ordering/work.service.ts';
import { simUpdated, splitIntoFacts } from '../sim.events.ts';
import { type ChangedInfo, type InfoChange, updateInfo } from './info.queries.ts';

interface InfoOperation<S extends z.ZodType> {
  rule: OperationRule<z.output<S>>;
  parameters: S;
  change(sim: SimFacts, wanted: { parameters: z.output<S>; input: unknown }): Omit<InfoChange, 'simId'>;
}

const infoOperation = <S extends z.ZodType>({ rule, parameters, change }: InfoOperation<S>): Operation =>
  defineOperation<S>({
    type: rule.type,
    items: simItems,
    parameters,
    chunk: simsPerChunk,
    undo: undoOf(rule),
    apply: async (tx, work) => {
      const { allowed, refusals } = await lockAllowedSims(tx, rule, work);
      const changes = [...allowed].map(([position, { sim, input }]) => ({
        position,
        simId: sim.id,
        ...change(sim, { parameters: work.parameters, input }),
      }));
      await applyInfo(tx, changes, work);
      return refusals;
    },
  });

/** Sets the info of SIMs that the caller has locked, with events and facts; remembers the former values of each. */
export const applyInfo = async (
  tx: Sql,
  changes: readonly (InfoChange & { position: number })[],
  { order, now, remember }: Pick<OperationWork, 'order' | 'now' | 'remember'>,
): Promise<void> => {
  const changed = await updateInfo(tx, order.orgId, changes);
  const positions = new Map(changes.map(({ simId, position }) => [simId, position]));
  for (const row of changed) {
    const position = positions.get(row.simId);
    if (position !== undefined) remember(position, infoBefore(row));
  }
  const updated = changed.map((row) => ({
    iccid: row.iccid,
    event: { simId: row.simId, orgId: order.orgId, at: now, ...eventContentOf(row) },
  }));
  await recordSimEvents(
    tx,
    updated.map(({ event }) => event),
    eventCauseOf(order),
  );
  const facts = splitIntoFacts(updated).map((part) => ({
    orgId: order.orgId,
    payload: {
      sims: part.map(({ iccid, event: { simId, kind } }) => ({ simId, iccid, kind })),
      actor: order.actor,
      at: now.toISOString(),
    },
  }));
  await emitMany(tx, simUpdated, facts);
};

const haveSameTags = (before: readonly string[], after: readonly string[]): boolean =>
  before.length === after.length && before.every((tag, index) => tag === after[index]);

const infoBefore = ({
  nameBefore,
  name,
  notesBefore,
  notesChanged,
  before,
  after,
}: ChangedInfo): SimBefore => ({
  ...(nameBefore !== name && { deviceName: nameBefore }),
  ...(notesChanged && { notes: notesBefore }),
  ...(!haveSameTags(before, after) && { tags: before }),
});

const eventContentOf = ({ nameBefore, name, notesChanged, before, after }: ChangedInfo): SimEventContent => {
  const [tags_before, tags] = [before.join(', '), after.join(', ')];
  if (nameBefore === name && !notesChanged) return simEvent('tags-changed', { tags_before, tags });
  return simEvent('updated', {
    ...(nameBefore !== name && { device_name_before: nameBefore, device_name: name }),
    ...(notesChanged && { notes: true }),
    ...(tags_before !== tags && { tags_before, tags }),
  });
};

export const deviceNameOperation = infoOperation({
  rule: deviceNameRule,
  parameters: z.object({ device_name: z.string().nullable() }),
  change: (_, { parameters }) => ({ deviceName: parameters.device_name }),
});

export const notesOperation = infoOperation({
  rule: notesRule,
  parameters: z.object({ notes: z.string().nullable() }),
  change: (_, { parameters }) => ({ notes: parameters.notes }),
});

export const tagsOperation = infoOperation({
  rule: tagsRule,
  parameters: z.object({ add: z.array(z.string()), remove: z.array(z.string()) }),
  change: (sim, { parameters }) => ({ tags: tagsAfter(sim.tags, parameters) }),
});

/** A stored row of a file: undefined fields stay unchanged, null clears. */
export const infoInputSchema = z.object({
  deviceName: z.string().nullable().optional(),
  notes: z.string().nullable().optional(),
  tags: z.array(tagSchema).max(limits.tags.perSim).optional(),
});
export type InfoInput = z.output<typeof infoInputSchema>;

export const updateInfoOperation = infoOperation({
  rule: updateInfoRule,
  parameters: z.object({}),
  change: (_, { input }) => infoInputSchema.parse(input),
});
