import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { signInBodySchema, signInResponseSchema } from './schemas.ts';

export const identityEndpoints = {
  signIn: endpoint({
    id: 'identity.signIn',
    method: 'POST',
    path: '/identity/sso/signin/direct/cube',
    summary: 'Sign in with email and password',
    access: { kind: 'public' },
    body: signInBodySchema,
    response: signInResponseSchema,
    errors: [
      'CB-07-0001',
      'CB-07-0002',
      'CB-07-0003',
      'CB-07-0004',
      'CB-07-0005',
      'CB-07-0006',
      'CB-07-0007',
    ],
    retry: 'never',
    // Guessing passwords, and the work of checking them.
    weight: 20,
  }),
  signOut: endpoint({
    id: 'identity.signOut',
    method: 'POST',
    path: '/identity/sso/signin/signout/cube',
    summary: 'End the current session',
    access: { kind: 'signed-in', member: false },
    // "Empty payload": none, null or {}; the HTTP library hands no body on as null.
    body: z.object({}).nullish(),
    response: z.null(),
    errors: [],
    retry: 'safe',
  }),
  connectLive: endpoint({
    id: 'identity.connectLive',
    method: 'GET',
    path: '/identity/sse/connect',
    summary: 'Live stream of the current organisation (text/event-stream; resumes by Last-Event-ID)',
    access: { kind: 'signed-in', member: true },
    query: z.object({ userId: z.string().max(64) }),
    response: 'stream',
    errors: ['CB-00-0404'],
    retry: 'safe',
  }),
} as const;
