import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instantSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { ofSim, readSims, simNotFound } from '../sim/one-sim.ts';
import { manageSims } from '../sim/selection.ts';
import { diagnoseLinkSchema, diagnoseSchema } from './schemas.ts';

/** What is wrong with a SIM: inside the console, and behind a public link. */
export const diagnoseEndpoints = {
  run: endpoint({
    id: 'diagnose.run',
    method: 'GET',
    path: '/cube/sim/diagnose',
    summary: 'What is wrong with a SIM, if anything, and what to do',
    access: readSims,
    query: ofSim,
    response: diagnoseSchema,
    errors: simNotFound,
    retry: 'safe',
  }),
  pdf: endpoint({
    id: 'diagnose.pdf',
    method: 'GET',
    path: '/cube/sim/diagnose/pdf',
    summary: 'The same as a PDF in the language of the request; nothing is shared',
    access: readSims,
    query: ofSim,
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
      'Store the report as it is now under an unguessable id, for three days, for readers without an account',
    // A report behind a link leaves the organisation, so it needs the permission to manage SIMs.
    access: manageSims,
    body: ofSim,
    response: z.object({ id: z.string(), expires_at: instantSchema }),
    errors: [...simNotFound, 'CB-01-0014'],
    retry: 'never',
    audit: 'diagnose-link.made',
    // The id is all that it takes to read the report.
    confidential: true,
    weight: 10,
  }),
  listLinks: endpoint({
    id: 'diagnose.listLinks',
    method: 'GET',
    path: '/cube/sim/diagnose/links',
    summary: 'Links to reports of the SIM that work now, the newest first, without what opens them',
    access: manageSims,
    query: ofSim,
    response: z.array(diagnoseLinkSchema).max(limits.diagnoseLinksShown),
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
    summary: 'A report that was shared',
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
