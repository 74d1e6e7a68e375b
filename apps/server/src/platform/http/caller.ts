import {
  acceptsApiKeys,
  acceptsLimitedKeys,
  allows,
  chooseLanguage,
  type EndpointShape,
  headers,
  intersectPermissions,
  type Language,
} from '@simcube/contract';
import type { FastifyRequest } from 'fastify';
import type { AccessControl, OrgContext, Principal } from '../access/index.ts';
import { hasBody } from './body-time.ts';
import { Failure, fail } from './failure.ts';

/** The language from an Accept-Language header, by preference (RFC 9110, 12.5.4). */
const languageOf = (header: string | undefined): Language =>
  chooseLanguage(
    (header ?? '')
      .split(',')
      .slice(0, 20)
      .map((part) => {
        const [tag = '', ...parameters] = part.trim().split(';');
        const q = parameters.map((p) => p.trim()).find((p) => p.startsWith('q='));
        return { tag, weight: q ? Number(q.slice(2)) || 0 : 1 };
      })
      .filter(({ tag, weight }) => tag && tag !== '*' && weight > 0)
      .sort((a, b) => b.weight - a.weight)
      .map(({ tag }) => tag),
  );

/**
 * The name of a time zone, else UTC. Offsets such as `+08:00`, which newer Node.js versions accept, are no names:
 * PostgreSQL reads their sign as POSIX does, the other way round.
 */
export const timeZoneOf = (header: string | undefined): string => {
  if (!header || header.length > 60 || !/^[a-z]/i.test(header)) return 'UTC';
  const cached = zoneCache.get(header);
  if (cached !== undefined) return cached;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: header }).resolvedOptions();
    if (zoneCache.size < maxCachedZones) zoneCache.set(header, timeZone);
    return timeZone;
  } catch {
    return 'UTC';
  }
};

/** Time zones by the names that callers used: an ICU lookup takes longer than many whole calls. */
const zoneCache = new Map<string, string>();
const maxCachedZones = 1000;

const bearer = /^Bearer ([\x21-\x7e]{1,500})$/i;

export interface AuthorizedCaller {
  principal?: Principal;
  org?: OrgContext;
  /** The SHA-256 that the call's signature requires of its body. */
  digest?: Buffer | undefined;
}

/**
 * Checks the token or the signature, the organisation of the headers and the permission of the endpoint record,
 * in this order, before the request's body is read.
 * @throws Failure with the code for the kind of refusal; for tokens, the README of `identity` lists them
 */
export const authorizeCall = async (
  access: AccessControl,
  endpoint: EndpointShape,
  request: FastifyRequest,
): Promise<AuthorizedCaller> => {
  if (endpoint.access.kind === 'public') return {};
  if (isSigned(request)) return authorizeKey(access, endpoint, request);
  const principal = await principalOf(access, request.headers.authorization);
  if (endpoint.access.kind === 'signed-in' && !endpoint.access.member) return { principal };
  const org =
    (await access.resolveOrg(principal, {
      tenantId: singleValue(request.headers[headers.tenantId]),
      partnerCode: singleValue(request.headers[headers.partnerCode]),
      address: request.ip,
    })) ?? fail('CB-07-0008');
  requirePermission(endpoint, org);
  return { principal, org };
};

const principalOf = async (access: AccessControl, header: string | undefined): Promise<Principal> => {
  const token = header === undefined ? undefined : bearer.exec(header)?.[1];
  if (header !== undefined && token === undefined) fail('CB-99-9401');
  const authentication = await access.authenticate(token);
  switch (authentication.kind) {
    case 'missing':
    case 'expired':
      return fail('CB-00-0401');
    case 'unknown':
      return fail('CB-99-9401');
    case 'ended':
      return fail('CB-00-0502');
    case 'ok':
      return authentication.principal;
  }
};

const requirePermission = (endpoint: EndpointShape, org: OrgContext): void => {
  if (
    endpoint.access.kind === 'permission' &&
    !allows(org.permissions, endpoint.access.key, endpoint.access.action)
  ) {
    fail(endpoint.access.refused ?? 'CB-00-0403');
  }
};

const isReadOnly = ({ method, audit, retry }: EndpointShape): boolean =>
  method === 'GET' || (audit === 'none' && retry === 'safe');

const isSigned = ({ headers: requestHeaders }: FastifyRequest): boolean =>
  requestHeaders['signature'] !== undefined || requestHeaders['signature-input'] !== undefined;

/**
 * Determines the key of a call that will be refused in any case, so that it is logged as that key's. An invalid
 * signature is ignored here.
 */
export const identifySigner = async (access: AccessControl, request: FastifyRequest): Promise<void> => {
  if (!isSigned(request) || request.headers.authorization !== undefined) return;
  try {
    request.caller = { principal: (await verifySignature(access, request, { changes: false })).principal };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
};

const verifySignature = (
  access: AccessControl,
  { raw }: FastifyRequest,
  { changes }: { changes: boolean },
) => {
  const { method = '', url: target = '', rawHeaders } = raw;
  return access.verify({ method, target, rawHeaders, hasBody: hasBody(raw), changes });
};

/**
 * A key implies its organisation. With fewer permissions than its account it needs one for each call, except
 * for calls about what it began.
 */
const authorizeKey = async (
  access: AccessControl,
  endpoint: EndpointShape,
  request: FastifyRequest,
): Promise<AuthorizedCaller> => {
  const { headers: requestHeaders, ip } = request;
  if (requestHeaders.authorization !== undefined) fail('CB-08-0003');
  if (!acceptsApiKeys(endpoint)) {
    await identifySigner(access, request);
    fail('CB-08-0002');
  }
  const { principal, digest } = await verifySignature(access, request, { changes: !isReadOnly(endpoint) });
  // Whatever the response is, the caller is known now.
  request.caller = { principal };
  const { tenantId, partnerCode, rights } = principal.key;
  if ((singleValue(requestHeaders[headers.tenantId]) ?? tenantId) !== tenantId) fail('CB-07-0008');
  if ((singleValue(requestHeaders[headers.partnerCode]) ?? partnerCode) !== partnerCode) fail('CB-07-0008');
  const membership = await access.resolveOrg(principal, { tenantId, partnerCode, address: ip });
  if (!membership || !allows(membership.permissions, 'cube-developer-key', 'read')) return fail('CB-08-0014');
  if (rights === null) {
    requirePermission(endpoint, membership);
    return { principal, org: membership, digest };
  }
  if (!acceptsLimitedKeys(endpoint)) fail('CB-08-0002');
  const org = { ...membership, permissions: intersectPermissions(membership.permissions, rights) };
  requirePermission(endpoint, org);
  return { principal, org, digest };
};

export const singleValue = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/** The language and trace ID of a response. */
export const responseContextOf = (request: FastifyRequest) => ({
  language: languageOf(request.headers['accept-language']),
  traceId: request.id,
});
