import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import type { ErrorCode } from '../errors.ts';
import { limits } from '../limits.ts';
import { pageSchema } from '../paging.ts';
import { fileFormatSchema, fileFormats } from '../task/schemas.ts';
import {
  reportKindSchema,
  reportKinds,
  reportMonthSchema,
  reportPreferencesBodySchema,
  reportPreferencesSchema,
  reportSchema,
} from './schemas.ts';

const base = '/cube/report' as const;
const readReports = { kind: 'permission', key: 'sim-report-cube', action: 'read' } as const;
const organisationParams = z.strictObject({ orgCode: z.string().max(40) });
const notFound = ['CB-09-0031'] as const satisfies readonly ErrorCode[];

export const reportEndpoints = {
  hasConfig: endpoint({
    id: 'report.hasConfig',
    method: 'GET',
    path: `${base}/config/hasReportConfig/{orgCode}`,
    summary: 'Whether an organisation has monthly reports',
    access: readReports,
    params: organisationParams,
    response: z.boolean(),
    errors: ['CB-07-0029'],
    retry: 'safe',
  }),
  list: endpoint({
    id: 'report.list',
    method: 'POST',
    path: `${base}/reports/{orgCode}`,
    summary:
      'Reports of an organisation, latest month first, each with figures, a chart and its first rows; cost reports only with permission to see bills',
    access: readReports,
    params: organisationParams,
    body: pageSchema.extend({
      month: reportMonthSchema.optional(),
      kind: reportKindSchema.optional(),
      /** Whether to include the first rows of each report. */
      preview: z.boolean().default(false),
    }),
    response: z.array(reportSchema),
    list: true,
    errors: ['CB-07-0029'],
    retry: 'safe',
    audit: 'none',
  }),
  download: endpoint({
    id: 'report.download',
    method: 'GET',
    path: `${base}/{month}/{kind}/download`,
    summary: 'The file of one report',
    access: readReports,
    params: z.strictObject({ month: reportMonthSchema, kind: reportKindSchema }),
    query: z.strictObject({
      /** Default: the format in which the report exists; CSV if it exists in both. */
      format: fileFormatSchema.optional(),
    }),
    response: 'file',
    formats: fileFormats,
    errors: notFound,
    retry: 'safe',
    weight: 10,
  }),
  downloadSeveral: endpoint({
    id: 'report.downloadSeveral',
    method: 'POST',
    path: `${base}/download`,
    summary: 'The files of several reports as a ZIP archive, in a folder for each month',
    access: readReports,
    body: z.strictObject({
      months: z.array(reportMonthSchema).min(1).max(limits.reports.months),
      /** All kinds if omitted. */
      kinds: z.array(reportKindSchema).min(1).max(reportKinds.length).optional(),
      /** All existing formats if omitted. */
      format: fileFormatSchema.optional(),
    }),
    response: 'file',
    formats: ['zip'],
    errors: [...notFound, 'CB-09-0032'],
    retry: 'safe',
    audit: 'none',
    weight: 20,
  }),
  preferences: endpoint({
    id: 'report.preferences',
    method: 'POST',
    path: `${base}/config/list`,
    summary: 'Which reports are created, how, and who is notified',
    access: readReports,
    body: z.strictObject({}),
    response: reportPreferencesSchema,
    errors: [],
    retry: 'safe',
    audit: 'none',
  }),
  setPreferences: endpoint({
    id: 'report.setPreferences',
    method: 'POST',
    path: `${base}/config/cube`,
    summary: 'Set report preferences; cost reports only with permission to see bills',
    access: { kind: 'permission', key: 'sim-report-cube', action: 'write', refused: 'CB-01-0014' },
    body: reportPreferencesBodySchema,
    response: reportPreferencesSchema,
    errors: ['CB-01-0014', 'CB-09-0017'],
    retry: 'safe',
    audit: 'report.preferences-changed',
  }),
} as const;
