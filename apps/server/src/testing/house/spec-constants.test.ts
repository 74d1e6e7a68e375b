import { languages, limits } from '@simcube/contract';
import { rateLimits } from '@simcube/contract/autoflow';
import { slowSpeeds } from '@simcube/contract/bundle';
import { dueDay } from '@simcube/contract/finance';
import { describe, expect, it } from 'vitest';
import { dueMonth } from '../../modules/report/report.rules.ts';
import { dashboardDays, usageDays } from '../../platform/clock/business-day.ts';

/** The table of section 9 of the specification, row by row: changing one of its constants fails here. */
const constants: readonly (readonly [item: string, ours: unknown, specified: unknown])[] = [
  ['supported languages', [...languages].sort(), ['en-US', 'es-ES', 'zh-CN', 'zh-TW']],
  ['request timeout, ms', limits.requestTimeoutMs, 1_200_000],
  ['password length', [limits.password.min, limits.password.max], [6, 12]],
  ['organisation name', limits.organisationName, { min: 5, max: 40 }],
  ['account name', limits.accountName, { min: 1, max: 30 }],
  ['tags', [limits.tags.perSim, limits.tags.length], [10, 10]],
  ['SMS content', limits.sms.content, 140],
  ['scheduled SMS name', limits.schedules.name, 50],
  ['SMS ICCID bulk entry', limits.sms.iccids, 1000],
  ['SMS reply window, hours', limits.sms.replyHours, 24],
  ['SIM activation', limits.activation, 1000],
  ['export', limits.exportRows, 100_000],
  ['bulk upload and transfer', [limits.upload.rows, limits.simsOfOperation], [100_000, 100_000]],
  ['autoflow ICCIDs', [limits.autoflow.manualSims, limits.autoflow.fileRows], [1000, 10_000]],
  [
    'autoflow threshold',
    [limits.autoflow.percent, limits.autoflow.smsMo, limits.autoflow.smsMt],
    [200, 200, 1000],
  ],
  ['autoflow days before expiry', limits.autoflow.days, 45],
  ['emails per group', limits.addressGroups.emails, 10],
  ['autoflow run history kept, days', limits.autoflow.historyDays, 30],
  ['task list, days', limits.taskListDays, 7],
  ['expiring-soon window, days', limits.expiringSoonDays, 45],
  ['CDR volume query, natural days', limits.cdrs.days, 31],
  ['transfer upload', [limits.upload.transferBytes, limits.upload.nameLength], [1024 * 1024, 40]],
  ['API key name', limits.apiKeys.name, 60],
  ['organisation switcher', limits.switcherOrganisations, 10],
  [
    'rate-limit speeds, kbps',
    [slowSpeeds, rateLimits],
    [
      [128, 256],
      [128, 256],
    ],
  ],
  ['search debounce, ms', limits.searchDebounceMs, 300],
  ['toast maximum', limits.toasts, 3],
  [
    'daily usage cut-offs, minutes of the zone',
    [dashboardDays, usageDays].map((days) => days.offsetMinutes),
    [480, 0],
  ],
  [
    'reports created',
    [dueMonth('2026-10').from, dueMonth('2026-10').readyBy].map((at) => at.toISOString()),
    // From the beginning of the 5th to the end of the 8th, UTC+8.
    ['2026-11-04T16:00:00.000Z', '2026-11-08T16:00:00.000Z'],
  ],
  ['invoice due date', ['2026-11-03', '2026-11-25'].map(dueDay), ['2026-11-13', '2026-11-30']],
];

describe('a constant of the specification, section 9', () => {
  it.each(constants)('equals the specification: %s', (_, ours, specified) => {
    expect(ours).toEqual(specified);
  });
});
