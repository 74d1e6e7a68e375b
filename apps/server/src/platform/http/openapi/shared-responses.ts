import { createHash } from 'node:crypto';

interface Document {
  components?: object;
  paths?: Record<string, Record<string, { responses?: Record<string, object> }>>;
}

/**
 * Moves responses that several calls have to the components of the document, to which the calls then refer: the
 * same refusals of most calls would otherwise make up nine tenths of it.
 */
export const shareResponses = <D>(document: D): D => {
  const { components, paths = {} } = document as Document;
  const calls = Object.values(paths).flatMap((path) => Object.values(path));
  const responses = calls.flatMap((call) => Object.entries(call.responses ?? {}));
  const uses = new Map<string, number>();
  for (const one of responses) {
    const written = JSON.stringify(one);
    uses.set(written, (uses.get(written) ?? 0) + 1);
  }
  const shared: Record<string, object> = {};
  const refer = (status: string, response: object): object => {
    const written = JSON.stringify([status, response]);
    if ((uses.get(written) ?? 0) < 2) return response;
    const name = `${status}-${createHash('sha256').update(written).digest('hex').slice(0, 8)}`;
    shared[name] = response;
    return { $ref: `#/components/responses/${name}` };
  };
  for (const call of calls) {
    if (!call.responses) continue;
    call.responses = Object.fromEntries(
      Object.entries(call.responses).map(([status, response]) => [status, refer(status, response)]),
    );
  }
  return { ...document, components: { ...components, responses: shared } };
};
