import { type Language, limits } from '@simcube/contract';
import {
  dataUnits,
  ruleActionKinds,
  rulePeriods,
  type TriggerKind,
  type TriggerOffer,
  type TriggerUnit,
  templateFields,
  triggerKinds,
  triggerNumbers,
} from '@simcube/contract/autoflow';
import { phrase } from '@simcube/phrases';

const { autoflow } = limits;
const upTo = (unit: TriggerUnit, max: number) => [{ unit, min: 1, max }];

/** Minimum and maximum of the figure in a trigger's condition. */
const boundsOf: Record<TriggerKind, TriggerOffer['bounds']> = {
  'status-change': [],
  'data-usage': [
    ...(Object.keys(dataUnits) as (keyof typeof dataUnits)[]).flatMap((unit) =>
      upTo(unit, autoflow.data[unit]),
    ),
    ...upTo('%', autoflow.percent),
  ],
  'sms-mt': upTo('SMS', autoflow.smsMt),
  'sms-mo': upTo('SMS', autoflow.smsMo),
  'imei-change': [],
  'first-use': upTo('days', autoflow.days),
  'lifecycle-expiry': upTo('days', autoflow.days),
  silent: upTo('hours', autoflow.silentHours),
  country: [],
  sessions: upTo('sessions', autoflow.sessions),
  cost: upTo('minor', autoflow.costMinor),
  'unusual-usage': [{ unit: 'multiple', min: 2, max: autoflow.multiple }],
};

const withPeriods: ReadonlySet<TriggerKind> = new Set(['data-usage', 'sms-mt', 'sms-mo']);

/** What forms need to offer one trigger, or all of them. */
export const offersOf = (requested: TriggerKind | 'all', language: Language): TriggerOffer[] =>
  triggerKinds
    .filter((kind) => requested === 'all' || kind === requested)
    .map((kind) => ({
      kind,
      number: triggerNumbers[kind],
      name: phrase(language, `autoflow.triggers.${kind}`),
      periods: withPeriods.has(kind) ? [...rulePeriods] : [],
      bounds: boundsOf[kind],
      actions: [...ruleActionKinds],
      fields: [...templateFields],
    }));
