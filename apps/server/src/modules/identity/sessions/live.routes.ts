import {
  allows,
  endpoints,
  headers,
  type LiveEvent,
  limits,
  type PermissionKey,
  type PermissionMap,
} from '@simcube/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OrgContext, SessionPrincipal } from '../../../platform/access/index.ts';
import { fail, type Route, streamRoute } from '../../../platform/http/index.ts';
import type { LiveHub, StreamedEvent } from '../../../platform/live/index.ts';
import type { SessionService } from './sessions.service.ts';

/** A console that receives nothing for 12 s considers the stream dead. */
const heartbeatMs = 5_000;
const heartbeatsPerCheck = 12;
/**
 * Maximum unsent octets for a reader when the next batch arrives; beyond it, the reader is disconnected and
 * resumes by its last id.
 */
const bufferedBytes = 512 * 1024;

type Hub = Pick<LiveHub, 'subscribe' | 'endSession'>;

export interface LiveDeps {
  sessions: SessionService;
  live: Hub;
  /** The person's permissions there, undefined if a call would be refused; queried again whenever that may have changed. */
  permissionsOf: (account: {
    tenantId: string;
    userId: string;
    sessionBeganAt: Date;
    address: string;
  }) => Promise<PermissionMap | undefined>;
}

export const liveRoutes = ({ sessions, live, permissionsOf }: LiveDeps): Route[] => {
  const open = new Map<string, number>();
  return [
    streamRoute(
      endpoints.identity.connectLive,
      async ({ query, principal, org, traceId }, request, reply) => {
        if (query.userId !== principal.userId) fail('CB-00-0404');
        const count = open.get(principal.sessionId) ?? 0;
        if (count >= limits.liveStreamsPerSession) fail('CB-00-0429');
        open.set(principal.sessionId, count + 1);
        reply.raw.once('close', () => {
          const left = (open.get(principal.sessionId) ?? 1) - 1;
          if (left > 0) open.set(principal.sessionId, left);
          else open.delete(principal.sessionId);
        });
        startStream(reply, traceId);
        await streamEvents({ live, sessions, permissionsOf, principal, org, request, reply });
      },
    ),
  ];
};

const startStream = (reply: FastifyReply, traceId: string): void => {
  reply.hijack();
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // Proxies that buffer responses would delay events.
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    [headers.traceId]: traceId,
  });
  reply.raw.write('retry: 2000\n\n');
};

interface StreamContext extends LiveDeps {
  principal: SessionPrincipal;
  org: OrgContext;
  request: FastifyRequest;
  reply: FastifyReply;
}

const streamEvents = async ({
  live,
  sessions,
  permissionsOf,
  principal,
  org,
  request,
  reply,
}: StreamContext): Promise<void> => {
  const { raw } = reply;
  const { userId, sessionBeganAt } = principal;
  let { permissions } = org;
  /** If the account ends, the session continues in the person's other organisations, but this one's events end. */
  const readPermissions = async () => {
    const { tenantId } = org;
    const current = await permissionsOf({ tenantId, userId, sessionBeganAt, address: request.ip });
    if (current) permissions = current;
    else raw.end();
  };
  const closed = new Promise<void>((resolve) => raw.once('close', resolve));
  const send = (events: readonly StreamedEvent[]): boolean => {
    if (raw.destroyed || raw.writableEnded) return false;
    // Unsent data of earlier batches means a slow reader; the size of one batch does not.
    if (raw.writableLength > bufferedBytes) return false;
    raw.write(visibleEvents(events, { userId, permissions }).map(messageOf).join(''));
    if (events.some(({ event }) => event.name === 'account.changed' && event.data.userId === userId)) {
      readPermissions().catch(() => raw.end());
    }
    return true;
  };
  const token = request.headers.authorization?.replace(/^Bearer /i, '');
  let beats = 0;
  const sendHeartbeat = async () => {
    // A client that does not read keeps an ended stream open: writing to it would be an unhandled error.
    if (raw.writableEnded) return;
    raw.write(': \n\n');
    beats += 1;
    // A stream must not outlive its session; checking does not keep the session alive.
    if (beats % heartbeatsPerCheck !== 0) return;
    if ((await sessions.check(token)).kind === 'ok') await readPermissions();
    else live.endSession(principal.sessionId);
  };
  const heartbeat = setInterval(() => {
    sendHeartbeat().catch(() => raw.end());
  }, heartbeatMs);
  try {
    const unsubscribe = await live.subscribe(
      {
        orgId: org.id,
        userId,
        sessionId: principal.sessionId,
        send,
        closed: (reason) => {
          // Data that a slow reader did not receive is discarded with its connection.
          if (reason === 'slow') raw.destroy();
          else raw.end();
        },
      },
      lastEventId(request),
    );
    await closed;
    unsubscribe();
  } catch (error) {
    raw.end();
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
};

interface Reader {
  userId: string;
  permissions: PermissionMap;
}

/**
 * Without the permission to see SIMs, a reader gets the organisation's usage, as on its dashboard, but nothing
 * about single SIMs, except messages for those who may see these. Pools are for those who may see pools, tasks
 * for their owners.
 */
const visibleEvents = (events: readonly StreamedEvent[], reader: Reader): readonly StreamedEvent[] =>
  events.flatMap((one) => {
    const event = filterEvent(one.event, reader);
    return event === undefined ? [] : [{ ...one, event }];
  });

const filterEvent = (event: LiveEvent, { userId, permissions }: Reader): LiveEvent | undefined => {
  const reads = (key: PermissionKey) => allows(permissions, key, 'read');
  switch (event.name) {
    case 'task.progress':
      return event.data.userId === userId ? event : undefined;
    case 'pool.changed':
      return reads('shared-pool-cube') ? event : undefined;
    case 'sms.changed':
      return reads('sim') || reads('cube-schedule-sms') ? event : undefined;
    case 'sim.connection':
    case 'sim.event':
      return reads('sim') ? event : undefined;
    case 'sim.usage':
      return reads('sim') ? event : { name: event.name, data: { ...event.data, sims: [] } };
    default:
      return event;
  }
};

/** WHATWG HTML, 9.2.6: one field per line; an empty line ends the message. JSON has no line breaks. */
const messageOf = ({ id, event }: StreamedEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event.name}\ndata: ${dataOf(event)}\n\n`;

const dataOf = (event: LiveEvent): string => JSON.stringify(event.data);

const lastEventId = (request: FastifyRequest): string | undefined => {
  const id = request.headers[headers.lastEventId];
  return typeof id === 'string' && id !== '' ? id : undefined;
};
