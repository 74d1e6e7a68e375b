import { limits } from '@simcube/contract';
import type { SmsQuota } from '@simcube/contract/org';
import { z } from 'zod';

/** The form's fields for a quota: its kind, and the number of a custom one. */
export const quotaFields = {
  quota: z.enum(['inherit', 'unlimited', 'none', 'custom']),
  messages: z.number().int().min(1).max(limits.smsQuota.max).nullish(),
};

export interface QuotaValues {
  quota: SmsQuota['kind'];
  messages?: number | null | undefined;
}

/** Possibly incomplete input. */
export interface QuotaInput {
  quota?: QuotaValues['quota'] | undefined;
  messages?: number | null | undefined;
}

export const quotaOf = ({ quota, messages }: QuotaValues): SmsQuota =>
  quota === 'custom' ? { kind: quota, messages: messages ?? 0 } : { kind: quota };

export const quotaValuesOf = (quota: SmsQuota): QuotaValues => ({
  quota: quota.kind,
  messages: quota.kind === 'custom' ? quota.messages : null,
});

/** The error in the number of a custom quota, given the parent's (null: no limit). */
export const validateMessages = (
  { quota, messages }: QuotaInput,
  parentCap: number | null,
): 'missing' | 'aboveParent' | null => {
  if (quota !== 'custom') return null;
  if (messages === null || messages === undefined) return 'missing';
  return parentCap !== null && messages > parentCap ? 'aboveParent' : null;
};
