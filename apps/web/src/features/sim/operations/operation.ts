import { endpoints } from '@simcube/contract';
import type { ActivationLine, BundleChangeTime, OrderLine } from '@simcube/contract/bundle';
import {
  deviceNameSchema,
  type Lifecycle,
  notesSchema,
  type Preview,
  type SimData,
  type SimSelection,
} from '@simcube/contract/sim';
import { session } from '../../../lib/session/index.ts';
import { type Operation, operations } from './operation-names.ts';

export type { Operation };

/** Operations that take at most one value, and do the same to every SIM. */
export type PlainOperation = Exclude<Operation, 'transfer' | 'export' | 'sendSms'>;

/** The SIMs: the selection, and the ICCID if it is a single one. */
export interface Target {
  selection: SimSelection;
  iccid?: string;
  /** Set if none was selected: the selection is all matching SIMs; this is their displayed number. */
  all?: string;
  /** Shows in the list those of them that can be chosen for the operation. */
  onShow?: () => void;
}

/** The operations that the person may use, in order; the list keeps its identity while it does not change. */
export const allowedOperations = (): readonly Operation[] => {
  const allowed = operations.filter((name) => {
    const { key, action } = calls[name].access;
    return session.can(key, action);
  });
  if (allowed.join() !== lastAllowed.join()) lastAllowed = allowed;
  return lastAllowed;
};

let lastAllowed: readonly Operation[] = [];

/** Sessions end: operations that the opposite one can't fully undo are red. */
export const isDangerous = (name: Operation): boolean =>
  name === 'suspend' || name === 'reset' || name === 'terminate';

/**
 * Operations that nothing takes back, or that cost money: they must change exactly the SIMs of the confirmed preview. All others
 * change the SIMs that match when they are ordered: filters on live values, such as all online SIMs, match others every second.
 */
export const isBoundToPreview = (name: PlainOperation): boolean =>
  name === 'terminate' ||
  name === 'activate' ||
  name === 'renew' ||
  name === 'topUp' ||
  name === 'changeBundle';

/** Operations that set a text of the SIM; an empty one removes it. */
export const isText = (name: PlainOperation): name is 'deviceName' | 'notes' =>
  name === 'deviceName' || name === 'notes';

/** The names of setting operations are nouns, which are not suitable for a button or an order. */
const isSetting = (name: Operation): boolean => name === 'tags' || name === 'deviceName' || name === 'notes';

/** What an operation is called when it is for a single SIM. */
export const titleForOne = (name: Operation) =>
  `operations.${isSetting(name) ? 'titles' : 'verbs'}.${name}` as const;

/** The texts about an operation have a form for a single SIM. */
export const formFor = ({ iccid }: Target) => ({ count: iccid === undefined ? 2 : 1 });

const endedLifecycles: readonly Lifecycle[] = ['expired', 'terminated'];

/** What decides about operations: a SIM of a list or a page, as far as it is known. */
export interface SimState {
  lifecycle: Lifecycle;
  data?: SimData;
  /** Whether A2P MT SMS is suspended. */
  sms_suspended?: boolean;
}

/** Whether the server would accept the operation for a SIM in this state; for a single SIM, others are not offered. */
export const appliesTo = (
  name: Operation,
  { lifecycle, data, sms_suspended: smsSuspended }: SimState,
): boolean => {
  switch (name) {
    case 'activate':
      return lifecycle === 'pre-activated';
    case 'suspend':
      return lifecycle === 'active';
    case 'resume': {
      const isHeld = data === undefined || data.restrictions.some(({ by }) => by === 'rule');
      return lifecycle === 'paused' || (isHeld && !endedLifecycles.includes(lifecycle));
    }
    case 'export':
      return true;
    case 'sendSms':
    case 'suspendMt':
      return !endedLifecycles.includes(lifecycle) && smsSuspended !== true;
    case 'resumeMt':
      return !endedLifecycles.includes(lifecycle) && smsSuspended !== false;
    case 'renew':
      return lifecycle !== 'pre-activated' && lifecycle !== 'terminated';
    case 'topUp':
    case 'changeBundle':
      return lifecycle === 'active' || lifecycle === 'paused';
    default:
      return !endedLifecycles.includes(lifecycle);
  }
};

/** The preview, and for orders of bundles what would be ordered. */
export type OperationPreview = Preview & {
  lines?: readonly OrderLine[];
  activations?: readonly ActivationLine[];
};

/** The values being set, by operation. */
export interface OperationValues {
  device_name?: string | null;
  notes?: string | null;
  add?: string[];
  remove?: string[];
  bundle_code?: string;
  when?: BundleChangeTime;
}

/** Their calls are loaded at the first use: the list of operations does not need them. */
export type SmsOperation = 'suspendMt' | 'resumeMt';

export const plainEndpoints = {
  activate: endpoints.bundle.activate,
  suspend: endpoints.sim.suspend,
  resume: endpoints.sim.resume,
  reset: endpoints.sim.reset,
  renew: endpoints.bundle.renew,
  topUp: endpoints.bundle.topUp,
  changeBundle: endpoints.bundle.change,
  tags: endpoints.sim.saveTag,
  deviceName: endpoints.sim.setDeviceName,
  notes: endpoints.sim.saveNote,
  terminate: endpoints.sim.terminate,
} as const satisfies Record<Exclude<PlainOperation, SmsOperation>, unknown>;

/** The tags to add that the server accepts. */
export const addedTagsSchema = endpoints.sim.saveTag.body.shape.add;

/** The texts that the server accepts; null removes the current one. */
export const textSchemas = {
  deviceName: deviceNameSchema.nullable(),
  notes: notesSchema.nullable(),
};

interface SmsEndpoints {
  sendSms: typeof endpoints.sms.send;
  suspendMt: typeof endpoints.sms.suspendMt;
  resumeMt: typeof endpoints.sms.resumeMt;
}

/** The call behind each operation: people who may make it are offered the operation, and the server checks again. */
const calls = {
  ...plainEndpoints,
  transfer: endpoints.sim.transfer,
  export: endpoints.sim.exportList,
  sendSms: { access: { kind: 'permission', key: 'cube-schedule-sms', action: 'operate' } },
  suspendMt: { access: endpoints.sim.suspend.access },
  resumeMt: { access: endpoints.sim.resume.access },
} as const satisfies Record<Operation, unknown> & {
  [N in keyof SmsEndpoints]: { access: SmsEndpoints[N]['access'] };
};
