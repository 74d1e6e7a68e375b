import { endpoints } from '@simcube/contract';
import type { ActivationLine, BundleChangeTime, OrderLine } from '@simcube/contract/bundle';
import type { Lifecycle, Preview, SimSelection } from '@simcube/contract/sim';
import { session } from '../../../lib/session/index.ts';
import { type Operation, operations } from './operation-names.ts';

export type { Operation };

/** Those that ask for a value at most, and then do the same to every SIM. */
export type PlainOperation = Exclude<Operation, 'transfer' | 'export' | 'sendSms'>;

/** On which SIMs: the selection, and the one SIM where it is one. */
export interface Target {
  selection: SimSelection;
  iccid?: string;
  /** None was selected: the selection is all that match, so many as is shown. */
  all?: string;
}

/** What the person may do, in order; the same list for as long as that is the same. */
export const allowedOperations = (): readonly Operation[] => {
  const now = operations.filter((name) => {
    const { key, action } = calls[name].access;
    return session.can(key, action);
  });
  if (now.join() !== lastAllowed.join()) lastAllowed = now;
  return lastAllowed;
};

let lastAllowed: readonly Operation[] = [];

/** Sessions end: what can't be taken back by the opposite order is red. */
export const isDangerous = (name: Operation): boolean =>
  name === 'suspend' || name === 'reset' || name === 'terminate';

const over: readonly Lifecycle[] = ['expired', 'terminated'];

/**
 * Whether the server would do it to a SIM in this state; what it would refuse anyway is not offered for one SIM.
 * @param smsSuspended whether A2P MT SMS is; undefined where that is not known
 */
export const suits = (name: Operation, lifecycle: Lifecycle, smsSuspended?: boolean): boolean => {
  switch (name) {
    case 'activate':
      return lifecycle === 'pre-activated';
    case 'suspend':
      return lifecycle === 'active';
    case 'resume':
      return lifecycle === 'paused';
    case 'export':
      return true;
    case 'sendSms':
    case 'suspendMt':
      return !over.includes(lifecycle) && smsSuspended !== true;
    case 'resumeMt':
      return !over.includes(lifecycle) && smsSuspended !== false;
    case 'renew':
      return lifecycle !== 'pre-activated' && lifecycle !== 'terminated';
    case 'topUp':
    case 'changeBundle':
      return lifecycle === 'active' || lifecycle === 'paused';
    case 'terminate':
      return lifecycle !== 'terminated';
    default:
      return !over.includes(lifecycle);
  }
};

/** What would happen, and for orders of bundles what would be ordered. */
export type OperationPreview = Preview & {
  /** Of what would be ordered. */
  digest?: string;
  lines?: readonly OrderLine[];
  activations?: readonly ActivationLine[];
};

/** What is set, by operation. */
export interface OperationValues {
  device_name?: string | null;
  notes?: string | null;
  add?: string[];
  remove?: string[];
  bundle_code?: string;
  when?: BundleChangeTime;
}

/** Their calls come when the first of them is asked for: the list is complete without. */
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

/** What the server takes as tags to add. */
export const tagsToAdd = endpoints.sim.saveTag.body.shape.add;

interface Sms {
  sendSms: typeof endpoints.sms.send;
  suspendMt: typeof endpoints.sms.suspendMt;
  resumeMt: typeof endpoints.sms.resumeMt;
}

/** What each is ordered by: who may call it is offered it, and the server decides again. */
const calls = {
  ...plainEndpoints,
  transfer: endpoints.sim.transfer,
  export: endpoints.sim.exportList,
  sendSms: { access: { kind: 'permission', key: 'cube-schedule-sms', action: 'operate' } },
  suspendMt: { access: endpoints.sim.suspend.access },
  resumeMt: { access: endpoints.sim.resume.access },
} as const satisfies Record<Operation, unknown> & { [N in keyof Sms]: { access: Sms[N]['access'] } };
