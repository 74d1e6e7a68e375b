import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dateSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { pageSchema } from '../paging.ts';
import { fileFormats } from '../task/schemas.ts';
import { simSessionSchema } from './detail-schemas.ts';
import { statusTraceSchema } from './events.ts';
import { chipGrades, technologies } from './schemas.ts';
import {
  daysSchema,
  exportErrors,
  readSims,
  simExportParams,
  simFileCall,
  simNotFound,
  simParams,
} from './single-sim.ts';

export const simDetailEndpoints = {
  belongOrg: endpoint({
    id: 'sim.belongOrg',
    method: 'GET',
    path: '/cube/sim/belong_org/{iccid}',
    summary: 'Organisation of the SIM, and the organisations above it that the caller may see',
    access: readSims,
    params: simParams,
    response: z.object({ path: z.array(z.object({ code: z.string(), name: z.string() })) }),
    errors: simNotFound,
    retry: 'safe',
  }),
  spec: endpoint({
    id: 'sim.spec',
    method: 'GET',
    path: '/cube/sim/spec/{iccid}',
    summary: 'Properties of the card',
    access: readSims,
    params: simParams,
    response: z.object({
      iccid: z.string(),
      chip_grade: z.enum(chipGrades).nullable(),
      technology: z.enum(technologies).nullable(),
      delivery_note_number: z.string().nullable(),
      shipment_on: dateSchema.nullable(),
      issuer_country: z.string().nullable(),
    }),
    errors: simNotFound,
    retry: 'safe',
  }),
  statusTrace: endpoint({
    id: 'sim.statusTrace',
    method: 'GET',
    path: '/cube/sim/statusTrace',
    summary: 'Timeline of changes of lifecycle, orders, device and network, newest first',
    access: readSims,
    query: simParams.extend(pageSchema.shape),
    response: z.array(statusTraceSchema),
    list: true,
    errors: ['CB-01-0001'],
    retry: 'safe',
  }),
  statusTraceDownload: endpoint({
    id: 'sim.statusTraceDownload',
    method: 'GET',
    path: '/cube/sim/statusTraceDownload',
    summary: 'The same as a file',
    access: readSims,
    query: simExportParams,
    response: 'file',
    formats: fileFormats,
    errors: exportErrors,
    retry: 'safe',
    weight: 10,
  }),
  sessions: endpoint({
    id: 'sim.sessions',
    method: 'GET',
    path: '/cube/sim/sessions',
    summary: 'Sessions of one SIM, newest first',
    access: readSims,
    query: simParams.extend(pageSchema.shape),
    response: z.array(simSessionSchema),
    list: true,
    errors: ['CB-01-0001'],
    retry: 'safe',
  }),
  usageExport: endpoint({
    ...simFileCall,
    id: 'sim.usageExport',
    path: '/cube/device/usage/export',
    summary: 'Usage of one SIM by hour, day or month as a file',
    body: simExportParams
      .extend(daysSchema.shape)
      .extend({ granularity: z.enum(['hour', 'day', 'month']).default('day') }),
    errors: exportErrors,
  }),
  resolveIdentifiers: endpoint({
    id: 'sim.resolveIdentifiers',
    method: 'POST',
    path: '/cube/sim/list/identifiers',
    summary:
      'Which of up to 10,000 ICCIDs, IMSIs or MSISDNs belong to SIMs of the organisation, and which do not',
    access: readSims,
    body: z.strictObject({ identifiers: z.array(z.string().trim().max(60)).min(1).max(limits.bulkSearch) }),
    response: z.object({
      iccids: z.array(z.string()),
      not_found: z.array(z.string()),
      duplicates: z.number().int(),
    }),
    errors: [],
    retry: 'safe',
    audit: 'none',
  }),
  readIdentifiers: endpoint({
    id: 'sim.readIdentifiers',
    method: 'POST',
    path: '/cube/sim/list/identifiers/file',
    summary:
      'Identifiers in a file, up to 10,000: those in the column headed ICCID (or IMSI, MSISDN), otherwise in the first',
    access: readSims,
    upload: { maxBytes: limits.upload.transferBytes },
    response: z.object({ identifiers: z.array(z.string()) }),
    errors: ['CB-09-0038'],
    retry: 'safe',
    audit: 'none',
    weight: 10,
  }),
} as const;
