import { endpoints, limits } from '@simcube/contract';
import type { Lifecycle } from '@simcube/contract/sim';
import { smsContentSchema } from '@simcube/contract/sms';
import { z } from 'zod';
import type { OperationRule, SimFacts } from '../../sim/index.ts';

/** The state of a SIM that decides whether it can receive a message. */
export interface SmsFacts {
  msisdn: string | null;
  isSuspended: boolean;
}

export const sendParametersSchema = z.object({ content: smsContentSchema });
export type SendParameters = z.output<typeof sendParametersSchema>;

/** SIMs in these states can't be sent messages. */
export const endedLifecycles: readonly Lifecycle[] = ['expired', 'terminated'];

const ended = ({ lifecycle }: SimFacts) =>
  endedLifecycles.includes(lifecycle) ? ('CB-01-0009' as const) : undefined;

/** Maximum number of SIMs of a message selected by filter; a list has at most `limits.sms.iccids`. */
export const sendRule: OperationRule<unknown, SmsFacts> = {
  type: 'sms-send',
  access: endpoints.sms.send.access,
  maxSims: limits.simsOfOperation,
  busy: 'CB-01-0011',
  refuse: (sim, { extraFacts: facts }) => {
    if (facts?.isSuspended) return ended(sim) ?? 'CB-04-0004';
    return ended(sim) ?? (facts?.msisdn ? undefined : 'CB-04-0003');
  },
};

const ofSims = { maxSims: limits.simsOfOperation, busy: 'CB-01-0011' } as const;

export const suspendMtRule: OperationRule<unknown, SmsFacts> = {
  ...ofSims,
  type: 'sms-suspend',
  access: endpoints.sms.suspendMt.access,
  refuse: (sim, { extraFacts: facts }) => ended(sim) ?? (facts?.isSuspended ? 'CB-04-0004' : undefined),
};

export const resumeMtRule: OperationRule<unknown, SmsFacts> = {
  ...ofSims,
  type: 'sms-resume',
  access: endpoints.sms.resumeMt.access,
  refuse: (sim, { extraFacts: facts }) => ended(sim) ?? (facts?.isSuspended ? undefined : 'CB-04-0005'),
};
