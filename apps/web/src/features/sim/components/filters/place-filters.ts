import { emptiableFields as emptiable, type emptiableFields, radioTypes } from '@simcube/contract/sim';
import type { Filter } from '../../../../ui/filter-bar/index.ts';
import { ipSchema } from '../../search.ts';
import { countriesIn } from './countries.ts';
import type { FilterContext } from './filter-context.ts';

/** Where the SIM is, or was last. */
export const networkFilters = ({ t, format, suggestions, by }: FilterContext): Filter[] => [
  by.pick('country', {
    advanced: true,
    label: t('simList.fields.country'),
    options: countriesIn(format.language),
    max: 50,
  }),
  by.words('operator', {
    advanced: true,
    label: t('simList.fields.operator'),
    placeholder: t('simList.operatorHint'),
    suggestions: suggestions.operators,
    max: 50,
  }),
  by.some('radio', {
    advanced: true,
    label: t('simList.fields.radio'),
    options: radioTypes.map((value) => ({
      value,
      label: value === 'other' ? t('sim.otherRadio') : value,
    })),
  }),
  by.text('apn', {
    advanced: true,
    label: t('sim.fields.apn'),
    maxLength: 60,
  }),
  by.text('ip', {
    advanced: true,
    label: t('sim.fields.ip'),
    maxLength: 45,
    problem: (text) => (ipSchema.safeParse(text).success ? undefined : t('simList.ipProblem')),
  }),
];

export const dateFilters = ({ t, by }: FilterContext): Filter[] => [
  by.instants(['activated_from', 'activated_to'], { advanced: true, label: t('sim.fields.activated') }),
  by.instants(['expires_from', 'expires_to'], {
    id: 'expires_at',
    advanced: true,
    label: t('simList.fields.expiresOn'),
  }),
  by.instants(['last_session_from', 'last_session_to'], {
    advanced: true,
    label: t('sim.fields.lastSession'),
  }),
  // Already days, as in the delivery note: no time zone shifts them.
  by.days(['shipment_from', 'shipment_to'], { advanced: true, label: t('simList.fields.shipment') }),
];

export const emptyFilters = ({ t, by }: FilterContext): Filter[] => {
  const options = emptiable.map((value) => ({ value, label: t(labels[value]) }));
  return [
    by.pick('empty', {
      advanced: true,
      label: t('simList.fields.empty'),
      options,
      max: emptiable.length,
    }),
    by.pick('not_empty', {
      advanced: true,
      label: t('simList.fields.notEmpty'),
      options,
      max: emptiable.length,
    }),
  ];
};

const labels = {
  msisdn: 'sim.fields.msisdn',
  last_imei: 'sim.fields.imei',
  device_name: 'simList.fields.deviceName',
  notes: 'sim.fields.notes',
  tags: 'sim.fields.tags',
  delivery_note_number: 'simList.fields.delivery',
  shipment_on: 'simList.fields.shipment',
  bundle: 'sim.fields.bundle',
  apn: 'sim.fields.apn',
  ip: 'sim.fields.ip',
  last_session_at: 'sim.fields.lastSession',
  expires_at: 'sim.fields.expires',
} as const satisfies Record<(typeof emptiableFields)[number], string>;
