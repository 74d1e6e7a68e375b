import { endpoints } from '@simcube/contract';
import { type Lifecycle, lifecycleSchema } from '@simcube/contract/sim';
import { smsContentSchema } from '@simcube/contract/sms';
import { z } from 'zod';
import { type OperationRule, refuseEnded } from '../../sim/index.ts';

/** The state of a SIM that decides whether it can receive a message. */
export interface SmsFacts {
  msisdn: string | null;
  isSuspended: boolean;
}

export const sendParametersSchema = z.object({ content: smsContentSchema });
export type SendParameters = z.output<typeof sendParametersSchema>;

/** SIMs in these states can't be sent messages. */
export const endedLifecycles: readonly Lifecycle[] = lifecycleSchema.options.filter((lifecycle) =>
  refuseEnded({ lifecycle }),
);

/** The limit is that of a message selected by filter; a list has at most `limits.sms.iccids`. */
export const sendRule: OperationRule<unknown, SmsFacts> = {
  type: 'sms-send',
  access: endpoints.sms.send.access,
  refuse: (sim, { extraFacts: facts }) => {
    if (facts?.isSuspended) return refuseEnded(sim) ?? 'CB-04-0004';
    return refuseEnded(sim) ?? (facts?.msisdn ? undefined : 'CB-04-0003');
  },
};

export const suspendMtRule: OperationRule<unknown, SmsFacts> = {
  type: 'sms-suspend',
  access: endpoints.sms.suspendMt.access,
  refuse: (sim, { extraFacts: facts }) => refuseEnded(sim) ?? (facts?.isSuspended ? 'CB-04-0004' : undefined),
};

export const resumeMtRule: OperationRule<unknown, SmsFacts> = {
  type: 'sms-resume',
  access: endpoints.sms.resumeMt.access,
  refuse: (sim, { extraFacts: facts }) => refuseEnded(sim) ?? (facts?.isSuspended ? undefined : 'CB-04-0005'),
};
