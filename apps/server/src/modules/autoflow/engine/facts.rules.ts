import type { TriggerOf } from '@simcube/contract/autoflow';
import type { Lifecycle } from '@simcube/contract/sim';
import { deviceOf } from '../scopes/device.rules.ts';
import { type ArmedRuleOn, hasTrigger } from './armed-rule.rules.ts';

export const hasStatusTrigger = hasTrigger('status-change');
export const hasImeiTrigger = hasTrigger('imei-change');
export const hasCountryTrigger = hasTrigger('country');

export const waitsForStatus = (
  trigger: TriggerOf<'status-change'>,
  { from, to }: { from: Lifecycle; to: Lifecycle },
): boolean => (trigger.from === 'any' || trigger.from === from) && trigger.to.includes(to);

/** Digits of the type allocation code (TS 23.003, 6.2), which identifies the model. */
const modelDigits = 8;

/** `allowed`: the allowed IMEIs of the SIM by list; empty if a list does not contain the SIM. */
export const waitsForImei = (
  trigger: TriggerOf<'imei-change'>,
  {
    from,
    to,
    allowed,
  }: { from: string; to: string; allowed: ReadonlyMap<string, readonly string[]> | undefined },
): boolean => {
  switch (trigger.to) {
    case 'any':
      return true;
    case 'model':
      return from.slice(0, modelDigits) !== to.slice(0, modelDigits);
    case 'unlisted':
      return !(allowed?.get(trigger.list_id) ?? []).some((imei) => deviceOf(imei) === deviceOf(to));
  }
};

/** The lists of IMEIs that rules compare with. */
export const listImeiLists = (rules: readonly ArmedRuleOn<'imei-change'>[]): string[] =>
  rules.flatMap(({ trigger }) => (trigger.to === 'unlisted' ? [trigger.list_id] : []));

/** Moves within a country neither enter nor leave it. */
export const waitsForCountry = (
  { change, countries }: TriggerOf<'country'>,
  { from, to }: { from: string; to: string },
): boolean => from !== to && countries.includes(change === 'entered' ? to : from);
