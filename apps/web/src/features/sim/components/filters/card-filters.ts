import { limits } from '@simcube/contract';
import {
  chipGrades,
  connections,
  lifecycles,
  restrictedDataStates,
  technologies,
} from '@simcube/contract/sim';
import { taskReferenceSchema } from '@simcube/contract/task';
import type { Filter } from '../../../../ui/filter-bar/index.ts';
import { lifecycleTones } from '../../../../ui/status/index.ts';
import { connectionTones, dataTones } from '../../sim-display.ts';
import { type FilterContext, formatRange } from './filter-context.ts';

const bytesPerMegabyte = 1024 * 1024;
/** 8 PiB in MB: the largest number of bytes that is exact in JavaScript. */
const maxMegabytes = Math.floor(Number.MAX_SAFE_INTEGER / bytesPerMegabyte);

const exampleTask = 'T00000018';

export const identityFilters = ({ t, by }: FilterContext): Filter[] => [
  by.text('delivery_note_number', {
    advanced: true,
    label: t('simList.fields.delivery'),
    maxLength: 60,
  }),
  by.some('chip_grade', {
    advanced: true,
    label: t('simList.fields.chipGrade'),
    options: chipGrades.map((value) => ({ value, label: t(`sim.chipGrade.${value}`) })),
  }),
  by.some('technology', {
    advanced: true,
    label: t('simList.fields.technology'),
    options: technologies.map((value) => ({ value, label: t(`sim.technology.${value}`) })),
  }),
  by.text('task', {
    advanced: true,
    label: t('simList.fields.task'),
    placeholder: exampleTask,
    maxLength: 16,
    problem: (text) =>
      taskReferenceSchema.safeParse(text).success
        ? undefined
        : t('simList.taskProblem', { example: exampleTask }),
  }),
];

export const deviceFilters = ({ t, suggestions, by }: FilterContext): Filter[] => [
  by.words('tags', {
    label: t('sim.filters.tags'),
    placeholder: t('sim.filters.tagsHint'),
    suggestions: suggestions.tags,
    max: limits.tags.perSim,
  }),
  by.text('device_name', {
    advanced: true,
    label: t('simList.fields.deviceName'),
    maxLength: 60,
  }),
  by.text('notes', {
    advanced: true,
    label: t('sim.fields.notes'),
    maxLength: 60,
  }),
  by.number('imei_changed_within_days', {
    advanced: true,
    label: t('simList.fields.imeiChanged'),
    format: (count) => t('simList.withinDays', { count }),
    suggestions: [1, 7, 30],
    min: 1,
    max: 90,
  }),
];

export const statusFilters = ({ t, by }: FilterContext): Filter[] => [
  by.some('lifecycle', {
    label: t('sim.filters.status'),
    options: lifecycles.map((value) => ({
      value,
      label: t(`sim.lifecycle.${value}`),
      tone: lifecycleTones[value],
    })),
  }),
  by.some('connection', {
    label: t('sim.filters.connection'),
    options: connections.map((value) => ({
      value,
      label: t(`sim.connection.${value}`),
      tone: connectionTones[value],
    })),
  }),
];

export const usageFilters = ({ t, format, suggestions, by }: FilterContext): Filter[] => [
  by.range(['usage', 'usage_percent_max'], {
    id: 'usage',
    label: t('sim.filters.usage'),
    unit: '%',
    suggestions: [50, 80, 95],
    max: 10_000,
    format: (range) => formatRange(range, (percent) => format.percent(percent / 100)),
  }),
  by.range(['usage_bytes_min', 'usage_bytes_max'], {
    id: 'usage_bytes',
    scale: bytesPerMegabyte,
    advanced: true,
    label: t('simList.fields.used'),
    unit: 'MB',
    max: maxMegabytes,
    format: (range) => formatRange(range, (megabytes) => format.bytes(megabytes * bytesPerMegabyte).text),
  }),
  by.range(['cost_min', 'cost_max'], {
    id: 'cost',
    advanced: true,
    label: t('price.title'),
    unit: suggestions.currency ?? '',
    digits: 2,
    max: 1_000_000_000,
    format: (range) =>
      formatRange(range, (amount) =>
        suggestions.currency
          ? format.price(Math.round(amount * 1_000_000), suggestions.currency)
          : amount.toLocaleString(format.language),
      ),
  }),
  by.one('over', {
    label: t('sim.filters.overage'),
    options: [
      { value: 'yes', label: t('sim.filters.overLimit') },
      { value: 'no', label: t('simList.withinLimit') },
    ],
  }),
  by.some('data_state', {
    advanced: true,
    label: t('sim.fields.data'),
    options: restrictedDataStates.map((value) => ({
      value,
      label: t(`sim.data.states.${value}`),
      tone: dataTones[value],
    })),
  }),
  by.one('sms', {
    advanced: true,
    label: t('sim.filters.sms'),
    options: [
      { value: 'suspended', label: t('sim.filters.smsSuspended'), tone: 'orange' },
      { value: 'open', label: t('sim.filters.smsOpen') },
    ],
  }),
];

export const bundleFilters = ({ t, suggestions, by }: FilterContext): Filter[] => [
  by.words('bundle', {
    label: t('sim.filters.bundle'),
    placeholder: t('sim.filters.bundleHint'),
    suggestions: suggestions.bundles,
    max: 20,
  }),
  by.number('expires', {
    label: t('sim.filters.expires'),
    format: (count) => t('sim.filters.expiresWithin', { count }),
    suggestions: [7, 30, limits.expiringSoonDays],
    min: 0,
    max: 365,
  }),
];
