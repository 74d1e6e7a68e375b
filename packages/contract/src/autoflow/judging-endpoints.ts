import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import type { ErrorCode } from '../errors.ts';
import { base, notFound, ofRule, read, write } from './calls.ts';
import {
  overshootBodySchema,
  overshootSchema,
  replayBodySchema,
  replayFiringSchema,
  replayFiringsQuerySchema,
  replaySchema,
  whyQuerySchema,
  whySchema,
} from './judging.ts';
import { autoflowIdSchema } from './rule.ts';
import { tryAnswerSchema, tryBodySchema, trySendBodySchema, trySentSchema } from './trying.ts';

/** Of the SIMs and files of a draft. */
const draftErrors = [
  'CB-01-0012',
  'CB-01-0020',
  'CB-01-0021',
  'CB-05-0001',
  'CB-05-0006',
  'CB-09-0009',
] as const satisfies readonly ErrorCode[];
const ofReplay = z.strictObject({ replayId: autoflowIdSchema });

/** What a rule would have done, and why it did something or not. */
export const judgingEndpoints = {
  replay: endpoint({
    id: 'autoflow.replay',
    method: 'POST',
    path: `${base}/replays`,
    summary:
      'Begin to replay a rule or a draft on the last 30 days, in the place of the replay that the caller began before',
    access: write,
    body: replayBodySchema,
    response: replaySchema,
    errors: [...notFound, ...draftErrors, 'CB-05-0018'],
    retry: 'safe',
    audit: 'none',
    weight: 20,
  }),
  readReplay: endpoint({
    id: 'autoflow.readReplay',
    method: 'GET',
    path: `${base}/replays/{replayId}`,
    summary: 'How far a replay is, and when the rule would have fired',
    access: read,
    params: ofReplay,
    response: replaySchema,
    errors: ['CB-05-0017'],
    retry: 'safe',
  }),
  listReplayFirings: endpoint({
    id: 'autoflow.listReplayFirings',
    method: 'GET',
    path: `${base}/replays/{replayId}/firings`,
    summary: 'On which SIMs the rule would have fired, when and at which figure, once the replay is done',
    access: read,
    params: ofReplay,
    query: replayFiringsQuerySchema,
    response: z.array(replayFiringSchema),
    list: true,
    errors: ['CB-05-0017'],
    retry: 'safe',
  }),
  cancelReplay: endpoint({
    id: 'autoflow.cancelReplay',
    method: 'DELETE',
    path: `${base}/replays/{replayId}`,
    summary: 'Stop a replay that waits or runs',
    access: write,
    params: ofReplay,
    response: z.null(),
    errors: ['CB-05-0001', 'CB-05-0017'],
    retry: 'safe',
    audit: 'none',
  }),
  tryBody: endpoint({
    id: 'autoflow.tryBody',
    method: 'POST',
    path: `${base}/try_it_out/body`,
    summary: 'What a rule would send about a SIM, in each language',
    access: write,
    body: tryBodySchema,
    response: tryAnswerSchema,
    errors: ['CB-01-0012', 'CB-05-0001', 'CB-05-0008'],
    retry: 'safe',
    audit: 'none',
  }),
  trySend: endpoint({
    id: 'autoflow.trySend',
    method: 'POST',
    path: `${base}/try_it_out/send`,
    summary: 'Send that to a notification target, once; the type of such a notification is autoflow.tried',
    access: write,
    body: trySendBodySchema,
    response: trySentSchema,
    errors: [
      'CB-01-0012',
      'CB-04-0001',
      'CB-05-0001',
      'CB-05-0008',
      'CB-09-0017',
      'CB-09-0027',
      'CB-09-0028',
      'CB-09-0029',
    ],
    retry: 'never',
    audit: 'autoflow.tried',
  }),
  why: endpoint({
    id: 'autoflow.why',
    method: 'GET',
    path: `${base}/rules/{ruleId}/why`,
    summary: 'Why a rule has fired for a SIM or not: what is compared with what, and what is missing',
    access: read,
    params: ofRule,
    query: whyQuerySchema,
    response: whySchema,
    errors: [...notFound, 'CB-01-0012'],
    retry: 'safe',
  }),
  overshoot: endpoint({
    id: 'autoflow.overshoot',
    method: 'POST',
    path: `${base}/rules/overshoot`,
    summary: 'How far usage can pass the thresholds of rules on data usage; other rules have no answer',
    access: read,
    body: overshootBodySchema,
    response: z.array(overshootSchema),
    errors: [],
    retry: 'safe',
    audit: 'none',
    weight: 5,
  }),
} as const;
