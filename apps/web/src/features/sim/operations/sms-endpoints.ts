import { endpoints } from '@simcube/contract';
import type { SmsOperation } from './operation.ts';

/** The calls that suspend and resume A2P MT SMS. */
export const smsEndpoints = {
  suspendMt: endpoints.sms.suspendMt,
  resumeMt: endpoints.sms.resumeMt,
} as const satisfies Record<SmsOperation, unknown>;
