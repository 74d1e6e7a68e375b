import { allows, chooseLanguage, type EndpointShape, headers, type Language } from '@simcube/contract';
import type { FastifyRequest } from 'fastify';
import type { AccessControl, OrgContext, Principal } from '../access/index.ts';
import { fail } from './failure.ts';

/** Languages of an Accept-Language header, most wanted first (RFC 9110, 12.5.4). */
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

export const timeZoneOf = (header: string | undefined): string => {
  if (!header || header.length > 60) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: header }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
};

const bearer = /^Bearer ([\x21-\x7e]{1,500})$/i;

/**
 * Checks the token, the organisation of the headers and the permission of the endpoint record, in this order,
 * before anything of the request is read.
 * @throws Failure with the code of semantics, "Session answers"
 */
export const admit = async (
  access: AccessControl,
  endpoint: EndpointShape,
  request: FastifyRequest,
): Promise<{ principal?: Principal; org?: OrgContext }> => {
  if (endpoint.access.kind === 'public') return {};
  const header = request.headers.authorization;
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
      break;
  }
  const { principal } = authentication;
  if (endpoint.access.kind === 'signed-in' && !endpoint.access.member) return { principal };
  const org =
    (await access.resolveOrg(principal, {
      tenantId: single(request.headers[headers.tenantId]),
      partnerCode: single(request.headers[headers.partnerCode]),
      address: request.ip,
    })) ?? fail('CB-07-0008');
  if (
    endpoint.access.kind === 'permission' &&
    !allows(org.permissions, endpoint.access.key, endpoint.access.action)
  ) {
    fail(endpoint.access.refused ?? 'CB-00-0403');
  }
  return { principal, org };
};

export const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/** The language and trace ID of a response. */
export const addressed = (request: FastifyRequest) => ({
  language: languageOf(request.headers['accept-language']),
  traceId: request.id,
});
