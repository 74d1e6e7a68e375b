import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { iccidSchema, instantSchema } from '../identifiers.ts';
import { diagnoseSchema } from './detail-schemas.ts';

const read = { kind: 'permission', key: 'sim', action: 'read' } as const;
/** A report behind a link leaves the organisation: whoever manages SIMs decides on it. */
const share = { kind: 'permission', key: 'sim', action: 'write', refused: 'CB-01-0014' } as const;
const ofSim = z.strictObject({ iccid: iccidSchema });
const notFound = ['CB-01-0001'] as const;

/** What is wrong with a SIM: inside the console, and behind a public link. */
export const simDiagnoseEndpoints = {
  diagnose: endpoint({
    id: 'sim.diagnose',
    method: 'GET',
    path: '/cube/sim/diagnose',
    summary: 'What is wrong with a SIM, if anything, and what to do',
    access: read,
    query: ofSim,
    response: diagnoseSchema,
    errors: notFound,
    retry: 'safe',
  }),
  diagnosePdf: endpoint({
    id: 'sim.diagnosePdf',
    method: 'GET',
    path: '/cube/sim/diagnose/pdf',
    summary: 'The same as a PDF in the language of the request; nothing is shared',
    access: read,
    query: ofSim,
    response: 'file',
    errors: notFound,
    retry: 'safe',
    weight: 20,
  }),
  shareDiagnose: endpoint({
    id: 'sim.shareDiagnose',
    method: 'POST',
    path: '/cube/sim/diagnose/share',
    summary:
      'Keep the report as it is now under an unguessable id, for three days, for somebody without sign-in',
    access: share,
    body: ofSim,
    response: z.object({ id: z.string(), expires_at: instantSchema }),
    errors: [...notFound, 'CB-01-0014'],
    retry: 'never',
    audit: 'diagnose-link.made',
    // The id is all that it takes to read the report.
    confidential: true,
    weight: 10,
  }),
  publicDiagnose: endpoint({
    id: 'sim.publicDiagnose',
    method: 'GET',
    path: '/public-sphere/cube/sims/diagnose/{linkId}',
    summary: 'A report that was shared',
    access: { kind: 'public' },
    params: z.strictObject({ linkId: z.string().min(20).max(100) }),
    response: diagnoseSchema,
    errors: ['CB-01-0019'],
    retry: 'safe',
    weight: 5,
  }),
  publicDiagnosePdf: endpoint({
    id: 'sim.publicDiagnosePdf',
    method: 'GET',
    path: '/public-sphere/cube/sims/diagnose/{linkId}/pdf',
    summary: 'The same as a PDF in the language of the request',
    access: { kind: 'public' },
    params: z.strictObject({ linkId: z.string().min(20).max(100) }),
    response: 'file',
    errors: ['CB-01-0019'],
    retry: 'safe',
    weight: 20,
  }),
} as const;
