import { endpoints } from '@simcube/contract';
import type { SmsOperation } from './operation.ts';

/** What A2P MT SMS is suspended and resumed by. */
export const smsCalls = {
  suspendMt: endpoints.sms.suspendMt,
  resumeMt: endpoints.sms.resumeMt,
} as const satisfies Record<SmsOperation, unknown>;
