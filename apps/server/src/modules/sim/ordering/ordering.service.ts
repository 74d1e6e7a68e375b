import { type Language, limits } from '@simcube/contract';
import type { Agreement, OperationResponse, Preview, SimRefusal, SimSelection } from '@simcube/contract/sim';
import { errorText } from '@simcube/phrases';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { requirePermission } from '../../org/index.ts';
import { type ItemFault, type ItemKind, listBusy, startWork } from '../../task/index.ts';
import { scopedTo } from '../sim-scope.views.ts';
import { lockRequest } from './ordering.queries.ts';
import { digestOfSims } from './preview-digest.ts';
import { listCandidates } from './selection.views.ts';
import { simItems } from './sim-items.ts';
import {
  type Candidate,
  commonRefusal,
  type Evaluation,
  evaluate,
  type OperationRule,
  type SimFacts,
} from './sim-operation.rules.ts';

export interface OrderingOptions {
  pool: pg.Pool;
  clock: Clock;
}

/** The person who orders work, and the organisation. */
export interface Orderer {
  org: { id: number };
  userId: string;
  actor: Actor;
  language: Language;
}

/** The SIMs named by a file. */
export interface FileSelection {
  /** Identifies the file. */
  file: string;
  /** Takes no locks. */
  read: (tx: Sql) => Promise<readonly Candidate[]>;
}

export interface SimOrder<P, M = never> {
  rule: OperationRule<P, M>;
  parameters: P;
  /** Shown in the task centre: the operation and its target. */
  remark: string | null;
  selected: SimSelection | FileSelection;
  /** The kind of the SIMs as items of its task, which decides which tasks exclude each other. Default: `simItems`. */
  items?: ItemKind;
  /** What another module knows about the SIMs, by id. */
  extraFacts?: (tx: Sql, simIds: readonly number[]) => Promise<ReadonlyMap<number, M>>;
  /** The input for each candidate, by index. */
  inputs?: (candidates: readonly Candidate[]) => readonly unknown[];
  /** What is wrong with the values of candidates that were refused from the start, by index. */
  faults?: (candidates: readonly Candidate[]) => ReadonlyMap<number, readonly ItemFault[]>;
  /** The work is done later: SIMs that are now pending in another task are accepted. */
  runsLater?: boolean;
  /** Further facts for the audit trail, in addition to the numbers. */
  auditDetails?: Record<string, unknown>;
  /** Further work in the same transaction, after everything was accepted. */
  afterAccept?: (tx: Sql) => Promise<void>;
  /** Digest of the preview that was agreed to; undefined if the caller sent none. */
  previewDigest?: string | undefined;
  /** Throws if the work has changed since that preview. Default: if it would change other SIMs. */
  checkPreview?: (tx: Sql, allowed: Inspection<M>['allowed'], previewDigest: string) => Promise<void>;
  /** Whether to refuse the call if everything is refused for one reason; true by default. */
  refuseAll?: boolean;
}

/** A preview with the refusals, by index, and what is known about the SIMs that would change. */
export interface Inspection<M = never> {
  preview: Preview;
  refused: ReadonlyMap<number, SimRefusal>;
  allowed: readonly { sim: SimFacts; extraFacts: M | undefined }[];
}

export type TaskStarted = NonNullable<OperationResponse['task']>;
export type Ordering = ReturnType<typeof createOrdering>;

/**
 * The only way to work on many SIMs: the operation's rule is applied to the selection; a preview shows the
 * outcome, an order makes it a task. Refused items are in the task from the start, so that its report names
 * every SIM.
 */
export const createOrdering = ({ pool, clock }: OrderingOptions) => {
  const evaluateOrder = async <P, M>(tx: Sql, orderer: Orderer, order: SimOrder<P, M>) => {
    const { rule, selected, parameters, items: kind = simItems } = order;
    const { maxSims = limits.simsOfOperation } = rule;
    const scope = scopedTo(orderer.org);
    const candidates =
      'read' in selected
        ? await selected.read(tx)
        : await listCandidates(tx, { scope, selection: selected, limit: maxSims + 1, now: clock.now() });
    if (candidates.length === 0) fail('CB-01-0010');
    if (candidates.length > maxSims) fail('CB-01-0002', { values: { max: maxSims } });
    const simIds = candidates.flatMap(({ sim }) => (sim ? [sim.id] : []));
    const busy = order.runsLater ? new Set<number>() : await listBusy(tx, { kind, refs: simIds });
    const extraFacts = (await order.extraFacts?.(tx, simIds)) ?? new Map<number, M>();
    return { extraFacts, ...evaluate(rule, candidates, { parameters, extraFacts, busy }) };
  };

  const inspectOrder = async <P, M>(orderer: Orderer, order: SimOrder<P, M>): Promise<Inspection<M>> => {
    const evaluation = await inTransaction(pool, (tx) => evaluateOrder(tx, orderer, order));
    const { refused } = evaluation;
    return { preview: previewOf(evaluation, orderer.language), refused, allowed: allowedOf(evaluation) };
  };
  const previewOrder = async <P, M>(orderer: Orderer, order: SimOrder<P, M>): Promise<Preview> =>
    (await inspectOrder(orderer, order)).preview;

  const acceptOrder = <P, M>(orderer: Orderer, order: SimOrder<P, M>): Promise<TaskStarted> =>
    inTransaction(pool, async (tx) => {
      const { rule, parameters, selected, items: kind = simItems, refuseAll = true } = order;
      // "Simultaneous operation not allowed / last request in progress" (specification, section 8). A different
      // request may include the same SIMs: which of them gets a SIM is decided when it is stored (`startWork`).
      const request = ['sim.order', orderer.userId, orderer.org.id, rule.type, selected];
      if (!(await lockRequest(tx, request))) fail('CB-01-0005');
      // Reading a hundred thousand SIMs takes time, so statements that assign the transaction an id come after
      // it: the outbox's readers wait for its end from then on.
      const evaluation = await evaluateOrder(tx, orderer, order);
      await requireOrderPermission(tx, orderer, rule.access);
      const { candidates, refused } = evaluation;
      const common = refuseAll ? commonRefusal(evaluation) : undefined;
      if (common) fail(common);
      const { previewDigest, checkPreview = checkSims } = order;
      if (previewDigest !== undefined) await checkPreview(tx, allowedOf(evaluation), previewDigest);
      const [inputs, faults] = [order.inputs?.(candidates), order.faults?.(candidates)];
      const at = clock.now();
      const { waiting, ...task } = await startWork(tx, {
        orgId: orderer.org.id,
        userId: orderer.userId,
        actor: orderer.actor,
        type: rule.type,
        remark: order.remark,
        parameters,
        at,
        kind,
        items: candidates.map(({ iccid, sim }, index) => ({
          ref: sim?.id ?? null,
          label: iccid,
          refused: refused.get(index),
          input: inputs?.[index],
          faults: faults?.get(index),
        })),
        access: rule.access,
      });
      // A concurrent order has taken all of them.
      const areAllTaken = waiting === 0 && refused.size < candidates.length;
      if (refuseAll && areAllTaken && [...refused.values()].every((code) => code === kind.busy)) {
        fail(kind.busy);
      }
      await order.afterAccept?.(tx);
      await recordAudit(tx, {
        orgId: orderer.org.id,
        actor: orderer.actor,
        at,
        subject: { kind: 'task', id: task.reference_id, name: task.reference_id },
        after: { sims: task.quantity, refused: task.quantity - waiting, ...order.auditDetails },
      });
      return task;
    });

  return {
    preview: previewOrder,
    inspect: inspectOrder,
    accept: acceptOrder,
    /** The response of an operation's call: the preview, or the task. */
    previewOrAccept: async <P, M>(
      orderer: Orderer,
      order: SimOrder<P, M>,
      { preview, preview_digest: previewDigest }: Agreement,
    ): Promise<OperationResponse> =>
      preview
        ? { preview: await previewOrder(orderer, order), task: null }
        : { preview: null, task: await acceptOrder(orderer, { ...order, previewDigest }) },
  };
};

const allowedOf = <M>({
  candidates,
  refused,
  extraFacts,
}: Evaluation & { extraFacts: ReadonlyMap<number, M> }): Inspection<M>['allowed'] =>
  candidates.flatMap(({ sim }, index) =>
    sim && !refused.has(index) ? [{ sim, extraFacts: extraFacts.get(sim.id) }] : [],
  );

const checkSims: NonNullable<SimOrder<unknown, unknown>['checkPreview']> = async (
  _tx,
  allowed,
  previewDigest,
) => {
  if (digestOfSims(allowed) !== previewDigest) fail('CB-01-0032');
};

/** The operator at the command line orders on behalf of a person, whatever that person's permissions. */
const requireOrderPermission = async (
  tx: Sql,
  { org, userId, actor }: Orderer,
  access: OperationRule['access'],
): Promise<void> => {
  if (actor.kind === 'operator') return;
  await requirePermission(tx, { orgId: org.id, userId, ...access });
};

/** Counts by reason, the most frequent first, with the first ICCIDs of each. */
const previewOf = <M>(
  evaluation: Evaluation & { extraFacts: ReadonlyMap<number, M> },
  language: Language,
): Preview => {
  const { candidates, refused } = evaluation;
  const reasons = new Map<SimRefusal, { count: number; iccids: string[] }>();
  for (const [index, code] of refused) {
    const reason = reasons.get(code) ?? { count: 0, iccids: [] };
    reason.count += 1;
    if (reason.iccids.length < limits.previewSample) reason.iccids.push(candidates[index]?.iccid ?? '');
    reasons.set(code, reason);
  }
  return {
    selected: candidates.length,
    changing: candidates.length - refused.size,
    digest: digestOfSims(allowedOf(evaluation)),
    refused: [...reasons]
      .toSorted(([, a], [, b]) => b.count - a.count)
      .map(([code, reason]) => ({ code, message: errorText(language, code), ...reason })),
  };
};
