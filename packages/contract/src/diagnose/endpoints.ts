import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instantSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { manageSims } from '../sim/selection.ts';
import { readSims, simNotFound, simParams } from '../sim/single-sim.ts';
import { diagnoseLinkSchema, diagnoseSchema } from './schemas.ts';

/** Diagnose reports of SIMs, in the console and behind a public link. */
export const diagnoseEndpoints = {
  run: endpoint({
    id: 'diagnose.run',
    method: 'GET',
    path: '/cube/sim/diagnose',
    summary: 'Diagnosis of a SIM: findings, and what to do about them',
    access: readSims,
    query: simParams,
    response: diagnoseSchema,
    errors: simNotFound,
    retry: 'safe',
  }),
  pdf: endpoint({
    id: 'diagnose.pdf',
    method: 'GET',
    path: '/cube/sim/diagnose/pdf',
    summary: 'The same as a PDF in the language of the request; does not create a link',
    access: readSims,
    query: simParams,
    response: 'file',
    formats: ['pdf'],
    errors: simNotFound,
    retry: 'safe',
    weight: 20,
  }),
  share: endpoint({
    id: 'diagnose.share',
    method: 'POST',
    path: '/cube/sim/diagnose/share',
    summary:
      'Share the current report for three days under an unguessable id, for readers without an account',
    // A shared report leaves the organisation, so sharing needs the permission to manage SIMs.
    access: manageSims,
    body: simParams,
    // The SIM is checked again, so that the link never shows an outdated report.
    response: z.object({ id: z.string(), expires_at: instantSchema, report: diagnoseSchema }),
    errors: [...simNotFound, 'CB-01-0014', 'CB-01-0033'],
    retry: 'never',
    audit: 'diagnose-link.made',
    // Anyone with the id can read the report.
    confidential: true,
    weight: 10,
  }),
  listLinks: endpoint({
    id: 'diagnose.listLinks',
    method: 'GET',
    path: '/cube/sim/diagnose/links',
    summary: 'Valid links to reports of the SIM, newest first, without their secret ids',
    access: manageSims,
    query: simParams,
    response: z.array(diagnoseLinkSchema).max(limits.diagnoseLinks),
    errors: [...simNotFound, 'CB-01-0014'],
    retry: 'safe',
  }),
  withdraw: endpoint({
    id: 'diagnose.withdraw',
    method: 'DELETE',
    path: '/cube/sim/diagnose/links/{shareId}',
    summary: 'Withdraw a link to a report: opening it shows that it was withdrawn',
    access: manageSims,
    params: z.strictObject({ shareId: z.string().regex(/^\d{1,18}$/) }),
    response: z.null(),
    errors: ['CB-01-0014'],
    retry: 'safe',
    audit: 'diagnose-link.withdrawn',
  }),
  readShared: endpoint({
    id: 'diagnose.readShared',
    method: 'GET',
    path: '/public-sphere/cube/sims/diagnose/{linkId}',
    summary: 'A shared report',
    access: { kind: 'public' },
    params: z.strictObject({ linkId: z.string().min(20).max(100) }),
    response: diagnoseSchema,
    errors: ['CB-01-0019', 'CB-01-0025'],
    retry: 'safe',
    weight: 5,
  }),
  sharedPdf: endpoint({
    id: 'diagnose.sharedPdf',
    method: 'GET',
    path: '/public-sphere/cube/sims/diagnose/{linkId}/pdf',
    summary: 'The same as a PDF in the language of the request',
    access: { kind: 'public' },
    params: z.strictObject({ linkId: z.string().min(20).max(100) }),
    response: 'file',
    formats: ['pdf'],
    errors: ['CB-01-0019', 'CB-01-0025'],
    retry: 'safe',
    weight: 20,
  }),
} as const;
