import { limits } from '@simcube/contract';
import {
  chipGrades,
  connectionSchema,
  connections,
  lifecycleSchema,
  lifecycles,
  technologies,
} from '@simcube/contract/sim';
import { z } from 'zod';
import type { Filter } from '../../../../ui/filter-bar/index.ts';
import { connectionTones, lifecycleTones } from '../../sim-words.ts';
import { type FilterContext, only, readRange } from './filter-context.ts';

const bytesPerMegabyte = 1024 * 1024;
/** 8 PiB, the largest whole number that survives the journey, in MB. */
const mostMegabytes = Math.floor(Number.MAX_SAFE_INTEGER / bytesPerMegabyte);

export const identityFilters = ({ t, search, onFilter }: FilterContext): Filter[] => [
  {
    kind: 'text',
    id: 'delivery_note_number',
    quiet: true,
    label: t('simList.fields.delivery'),
    maxLength: 60,
    value: search.delivery_note_number,
    onChange: (value) => onFilter({ delivery_note_number: value }),
  },
  {
    kind: 'choice',
    id: 'chip_grade',
    quiet: true,
    label: t('simList.fields.chipGrade'),
    options: chipGrades.map((value) => ({ value, label: t(`sim.chipGrade.${value}`) })),
    value: search.chip_grade,
    onChange: (values) => onFilter({ chip_grade: only(z.enum(chipGrades), values) }),
  },
  {
    kind: 'choice',
    id: 'technology',
    quiet: true,
    label: t('simList.fields.technology'),
    options: technologies.map((value) => ({ value, label: value })),
    value: search.technology,
    onChange: (values) => onFilter({ technology: only(z.enum(technologies), values) }),
  },
];

export const deviceFilters = ({ t, search, seen, onFilter }: FilterContext): Filter[] => [
  {
    kind: 'words',
    id: 'tags',
    label: t('sim.filters.tags'),
    placeholder: t('sim.filters.tagsHint'),
    offered: seen.tags,
    max: limits.tags.perSim,
    maxLength: limits.tags.length,
    value: search.tags,
    onChange: (tags) => onFilter({ tags }),
  },
  {
    kind: 'text',
    id: 'device_name',
    quiet: true,
    label: t('simList.fields.deviceName'),
    maxLength: 60,
    value: search.device_name,
    onChange: (value) => onFilter({ device_name: value }),
  },
  {
    kind: 'text',
    id: 'notes',
    quiet: true,
    label: t('sim.fields.notes'),
    maxLength: 60,
    value: search.notes,
    onChange: (notes) => onFilter({ notes }),
  },
  {
    kind: 'number',
    id: 'imei_changed_within_days',
    quiet: true,
    label: t('simList.fields.imeiChanged'),
    read: (count) => t('simList.withinDays', { count }),
    offered: [1, 7, 30],
    min: 1,
    max: 90,
    value: search.imei_changed_within_days,
    onChange: (value) => onFilter({ imei_changed_within_days: value }),
  },
];

export const statusFilters = ({ t, search, onFilter }: FilterContext): Filter[] => [
  {
    kind: 'choice',
    id: 'lifecycle',
    label: t('sim.filters.status'),
    options: lifecycles.map((value) => ({
      value,
      label: t(`sim.lifecycle.${value}`),
      tone: lifecycleTones[value],
    })),
    value: search.lifecycle,
    onChange: (lifecycle) => onFilter({ lifecycle: only(lifecycleSchema, lifecycle) }),
  },
  {
    kind: 'choice',
    id: 'connection',
    label: t('sim.filters.connection'),
    options: connections.map((value) => ({
      value,
      label: t(`sim.connection.${value}`),
      tone: connectionTones[value],
    })),
    value: search.connection,
    onChange: (connection) => onFilter({ connection: only(connectionSchema, connection) }),
  },
];

export const usageFilters = ({ t, format, search, onFilter }: FilterContext): Filter[] => [
  {
    kind: 'range',
    id: 'usage',
    label: t('sim.filters.usage'),
    unit: '%',
    offered: [50, 80, 95],
    max: 10_000,
    read: (range) => readRange(range, (percent) => format.percent(percent / 100)),
    value: { min: search.usage, max: search.usage_percent_max },
    onChange: (range) => onFilter({ usage: range?.min, usage_percent_max: range?.max }),
  },
  {
    kind: 'range',
    id: 'usage_bytes',
    quiet: true,
    label: t('simList.fields.used'),
    unit: 'MB',
    max: mostMegabytes,
    read: (range) => readRange(range, (megabytes) => format.bytes(megabytes * bytesPerMegabyte).text),
    value: { min: inMegabytes(search.usage_bytes_min), max: inMegabytes(search.usage_bytes_max) },
    onChange: (range) =>
      onFilter({ usage_bytes_min: inBytes(range?.min), usage_bytes_max: inBytes(range?.max) }),
  },
  {
    kind: 'choice',
    id: 'over',
    single: true,
    label: t('sim.filters.overage'),
    options: [
      { value: 'yes', label: t('sim.filters.overLimit') },
      { value: 'no', label: t('simList.withinLimit') },
    ],
    value: search.over ? [search.over] : undefined,
    onChange: (over) => onFilter({ over: only(z.enum(['yes', 'no']), over)?.[0] }),
  },
];

export const bundleFilters = ({ t, search, seen, onFilter }: FilterContext): Filter[] => [
  {
    kind: 'words',
    id: 'bundle',
    label: t('sim.filters.bundle'),
    placeholder: t('sim.filters.bundleHint'),
    offered: seen.bundles,
    max: 20,
    maxLength: 40,
    value: search.bundle,
    onChange: (bundle) => onFilter({ bundle }),
  },
  {
    kind: 'number',
    id: 'expires',
    label: t('sim.filters.expires'),
    read: (count) => t('sim.filters.expiresWithin', { count }),
    offered: [7, 30, limits.expiringSoonDays],
    min: 0,
    max: 365,
    value: search.expires,
    onChange: (expires) => onFilter({ expires }),
  },
];

const inMegabytes = (bytes: number | undefined): number | undefined =>
  bytes === undefined ? undefined : Math.round(bytes / bytesPerMegabyte);
const inBytes = (megabytes: number | undefined): number | undefined =>
  megabytes === undefined ? undefined : megabytes * bytesPerMegabyte;
