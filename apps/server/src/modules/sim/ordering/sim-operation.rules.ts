import { type Access, endpoints, folded, limits, uniqueTexts } from '@simcube/contract';
import type { Lifecycle, SimRefusal } from '@simcube/contract/sim';
import type { TaskType } from '@simcube/contract/task';

/** The facts of a SIM that decide whether an operation is allowed. */
export interface SimFacts {
  id: number;
  orgId: number;
  iccid: string;
  lifecycle: Lifecycle;
  technology: string | null;
  tags: readonly string[];
}

/**
 * The rule of an operation, applied three times: for the preview, when the work is accepted, and with the SIM
 * locked when it is done, as its state may have changed in between.
 */
export interface OperationRule<P = unknown, M = unknown> {
  type: TaskType;
  /** The permission needed to order it: that of its call. */
  access: Extract<Access, { kind: 'permission' }>;
  /** Maximum number of SIMs in one order, if less than `limits.simsOfOperation`. */
  maxSims?: number;
  /** `extraFacts` is what another module knows about the SIM, if the operation requests it. */
  refuse(sim: SimFacts, request: { parameters: P; extraFacts: M | undefined }): SimRefusal | undefined;
}

/** A selected item: a SIM, or an ICCID that does not belong to the organisation. */
export interface Candidate {
  iccid: string;
  sim: SimFacts | undefined;
  /** Wrong before any rule is applied, such as a faulty row of a file. */
  refusal?: SimRefusal | undefined;
}

export interface Evaluation {
  candidates: readonly Candidate[];
  /** By index. */
  refused: Map<number, SimRefusal>;
}

export const evaluate = <P, M>(
  rule: OperationRule<P, M>,
  candidates: readonly Candidate[],
  context: { parameters: P; extraFacts: ReadonlyMap<number, M>; busy: ReadonlySet<number> },
): Evaluation => {
  const refused = new Map<number, SimRefusal>();
  for (const [index, { sim, refusal }] of candidates.entries()) {
    const code = refusal ?? (sim ? refusalOf(rule, sim, context) : 'CB-01-0012');
    if (code) refused.set(index, code);
  }
  return { candidates, refused };
};

const refusalOf = <P, M>(
  rule: OperationRule<P, M>,
  sim: SimFacts,
  {
    parameters,
    extraFacts,
    busy,
  }: { parameters: P; extraFacts: ReadonlyMap<number, M>; busy: ReadonlySet<number> },
): SimRefusal | undefined =>
  rule.refuse(sim, { parameters, extraFacts: extraFacts.get(sim.id) }) ??
  (busy.has(sim.id) ? busyRefusal : undefined);

/** Why a SIM pending in another task is refused. */
export const busyRefusal = 'CB-01-0011' satisfies SimRefusal;

/** The reason for which everything is refused, if there is only one. */
export const commonRefusal = ({ candidates, refused }: Evaluation): SimRefusal | undefined => {
  if (refused.size < candidates.length) return undefined;
  const codes = new Set(refused.values());
  const [first] = codes;
  return codes.size === 1 ? first : undefined;
};

/** "Operations on expired or terminated SIMs are refused" (specification, section 4). */
export const refuseEnded = ({ lifecycle }: Pick<SimFacts, 'lifecycle'>): SimRefusal | undefined =>
  lifecycle === 'expired' || lifecycle === 'terminated' ? 'CB-01-0009' : undefined;

/** A SIM is restored only if it is still as the operation left it. `extraFacts`: whether it is. */
export const undoRule: Pick<OperationRule<unknown, boolean>, 'refuse'> = {
  refuse: (sim, { extraFacts: unchanged }) => (unchanged ? refuseEnded(sim) : 'CB-01-0029'),
};

/** Only active SIMs can be suspended. */
export const suspendRule: OperationRule = {
  type: 'sim-suspend',
  access: endpoints.sim.suspend.access,
  refuse: (sim) => refuseEnded(sim) ?? (sim.lifecycle === 'active' ? undefined : 'CB-01-0015'),
};

/**
 * Only paused SIMs, and those whose data an operation has stopped or slowed, can be resumed. `extraFacts`: whether
 * one has.
 */
export const resumeRule: OperationRule<unknown, boolean> = {
  type: 'sim-resume',
  access: endpoints.sim.resume.access,
  refuse: (sim, { extraFacts: isHeld }) =>
    refuseEnded(sim) ?? (sim.lifecycle === 'paused' || isHeld ? undefined : 'CB-01-0016'),
};

/** A SIM has no data until its cycle ends or it is resumed, whatever its bundle allows. */
export const dataOffRule: OperationRule = {
  type: 'sim-data-off',
  access: endpoints.sim.suspend.access,
  refuse: refuseEnded,
};

/** Likewise its data is limited to a rate. */
export const slowDownRule: OperationRule = {
  type: 'sim-slow-down',
  access: endpoints.sim.suspend.access,
  refuse: refuseEnded,
};

/** Terminates a SIM, once; an expired one ends with its grace period. For administrators only, because it can't be reversed. */
export const terminateRule: OperationRule = {
  type: 'sim-terminate',
  access: endpoints.sim.terminate.access,
  refuse: (sim) => (sim.lifecycle === 'terminated' ? 'CB-01-0026' : refuseEnded(sim)),
};

export const resetRule: OperationRule = {
  type: 'sim-reset',
  access: endpoints.sim.reset.access,
  refuse: refuseEnded,
};

export const deviceNameRule: OperationRule = {
  type: 'sim-device-name',
  access: endpoints.sim.setDeviceName.access,
  refuse: refuseEnded,
};

export const notesRule: OperationRule = {
  type: 'sim-notes',
  access: endpoints.sim.saveNote.access,
  refuse: refuseEnded,
};

export interface TagChange {
  add: readonly string[];
  remove: readonly string[];
}

/** Remaining tags in their order, then the new ones; a tag that is both removed and added is kept. */
export const tagsAfter = (tags: readonly string[], { add, remove }: TagChange): string[] => {
  const removed = new Set(remove.map(folded));
  const remaining = removed.size === 0 ? tags : tags.filter((tag) => !removed.has(folded(tag)));
  return uniqueTexts([...remaining, ...add]);
};

const refuseTooMany = (tags: readonly string[]): SimRefusal | undefined =>
  tags.length > limits.tags.perSim ? 'CB-01-0017' : undefined;

export const tagsRule: OperationRule<TagChange> = {
  type: 'sim-tags',
  access: endpoints.sim.saveTag.access,
  refuse: (sim, { parameters }) => refuseEnded(sim) ?? refuseTooMany(tagsAfter(sim.tags, parameters)),
};

/**
 * `targetId`: the organisation that gets the SIMs. A SIM of a shared pool would take its share of the pool
 * along with its order: "a transfer into a shared pool is denied" (specification, section 8).
 */
export const transferRule: OperationRule<{ targetId: number }, boolean> = {
  type: 'sim-transfer',
  access: endpoints.sim.transfer.access,
  refuse: (sim, { parameters, extraFacts: sharesPool }) => {
    if (sim.orgId === parameters.targetId) return 'CB-01-0024';
    return refuseEnded(sim) ?? (sharesPool ? 'CB-01-0013' : undefined);
  },
};

export const updateInfoRule: OperationRule = {
  type: 'sim-update-info',
  access: endpoints.sim.updateInfo.access,
  refuse: refuseEnded,
};
