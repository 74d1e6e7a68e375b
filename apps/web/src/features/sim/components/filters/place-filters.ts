import {
  emptiableFields as emptiable,
  type emptiableFields,
  radioTypeSchema,
  radioTypes,
} from '@simcube/contract/sim';
import { z } from 'zod';
import type { Filter, Period } from '../../../../ui/filter-bar/index.ts';
import { ipSchema, plmnSchema } from '../../search.ts';
import { countriesIn } from './countries.ts';
import { dayOf, endOfDay, startOfDay } from './days.ts';
import { type FilterContext, only, periodOf } from './filter-context.ts';

/** Where the SIM is, or was last. */
export const networkFilters = ({ t, format, search, seen, onFilter }: FilterContext): Filter[] => [
  {
    kind: 'pick',
    id: 'country',
    quiet: true,
    label: t('simList.fields.country'),
    options: countriesIn(format.language),
    max: 50,
    value: search.country,
    onChange: (country) => onFilter({ country }),
  },
  {
    kind: 'words',
    id: 'operator',
    quiet: true,
    label: t('simList.fields.operator'),
    placeholder: t('simList.operatorHint'),
    offered: seen.operators,
    max: 50,
    maxLength: 7,
    value: search.operator,
    onChange: (operator) => onFilter({ operator: only(plmnSchema, operator) }),
  },
  {
    kind: 'choice',
    id: 'radio',
    quiet: true,
    label: t('simList.fields.radio'),
    options: radioTypes.map((value) => ({
      value,
      label: value === 'other' ? t('simList.otherRadio') : value,
    })),
    value: search.radio,
    onChange: (radio) => onFilter({ radio: only(radioTypeSchema, radio) }),
  },
  {
    kind: 'text',
    id: 'apn',
    quiet: true,
    label: t('sim.fields.apn'),
    maxLength: 60,
    value: search.apn,
    onChange: (apn) => onFilter({ apn }),
  },
  {
    kind: 'text',
    id: 'ip',
    quiet: true,
    label: t('sim.fields.ip'),
    maxLength: 45,
    problem: (text) => (ipSchema.safeParse(text).success ? undefined : t('simList.ipProblem')),
    value: search.ip,
    onChange: (ip) => onFilter({ ip }),
  },
];

export const dateFilters = (context: FilterContext): Filter[] => {
  const { t, search, onFilter } = context;
  return [
    instantPeriod(context, {
      id: 'activated',
      label: t('sim.fields.activated'),
      from: search.activated_from,
      to: search.activated_to,
      onChange: (from, to) => onFilter({ activated_from: from, activated_to: to }),
    }),
    instantPeriod(context, {
      id: 'expires_at',
      label: t('simList.fields.expiresOn'),
      from: search.expires_from,
      to: search.expires_to,
      onChange: (from, to) => onFilter({ expires_from: from, expires_to: to }),
    }),
    instantPeriod(context, {
      id: 'last_session',
      label: t('sim.fields.lastSession'),
      from: search.last_session_from,
      to: search.last_session_to,
      onChange: (from, to) => onFilter({ last_session_from: from, last_session_to: to }),
    }),
    // Days already, as the delivery note says them: no zone moves them.
    periodOf(context, {
      id: 'shipment',
      label: t('simList.fields.shipment'),
      value: { from: search.shipment_from, to: search.shipment_to },
      onChange: (period) => onFilter({ shipment_from: period?.from, shipment_to: period?.to }),
    }),
  ];
};

interface InstantPeriod {
  id: string;
  label: string;
  from: string | undefined;
  to: string | undefined;
  onChange: (from: string | undefined, to: string | undefined) => void;
}

const instantPeriod = (context: FilterContext, { id, label, from, to, onChange }: InstantPeriod): Filter => {
  const { zone } = context.format;
  return periodOf(context, {
    id,
    label,
    value: { from: dayOf(from, zone), to: dayOf(to, zone) },
    onChange: (period: Period | undefined) =>
      onChange(startOfDay(period?.from, zone), endOfDay(period?.to, zone)),
  });
};

export const emptyFilters = ({ t, search, onFilter }: FilterContext): Filter[] => {
  const options = emptiable.map((value) => ({ value, label: t(labels[value]) }));
  const read = (values: string[] | undefined) => only(z.enum(emptiable), values);
  return [
    {
      kind: 'pick',
      id: 'empty',
      quiet: true,
      label: t('simList.fields.empty'),
      options,
      max: emptiable.length,
      value: search.empty,
      onChange: (values) => onFilter({ empty: read(values) }),
    },
    {
      kind: 'pick',
      id: 'not_empty',
      quiet: true,
      label: t('simList.fields.notEmpty'),
      options,
      max: emptiable.length,
      value: search.not_empty,
      onChange: (values) => onFilter({ not_empty: read(values) }),
    },
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
