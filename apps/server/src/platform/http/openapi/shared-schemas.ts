import {
  mapInside,
  mapOperation,
  mapOperations,
  type OpenApiDocument,
  type Operation,
  type Place,
  type Schema,
} from './document-fields.ts';

interface Shared {
  place: Place;
  domains: Set<string>;
  /** Not counting those inside of objects that are shared themselves. */
  uses: number;
  name?: string;
}

/**
 * Moves objects that the document has several times to its components: it gets shorter, and generators make one type of them.
 * They are named after their property, with the domain if only one has them, and `.2` if another object has the name.
 */
export const shareSchemas = <D extends object>(document: D): D => {
  const found = new Map<string, Shared>();
  const mapSchemas = (operation: Operation, map: (schema: Schema, place: Place) => Schema): Operation =>
    mapOperation(operation, map, (parameter) => parameter);

  const count = (schema: Schema, place: Place, isInShared = false): Schema => {
    const key = keyOf(schema, place);
    const known = key === undefined ? undefined : found.get(key);
    known?.domains.add(place.domain);
    if (known && !isInShared) known.uses += 1;
    if (key !== undefined && !known) found.set(key, { place, domains: new Set([place.domain]), uses: 1 });
    return mapInside(schema, place, (inner, at) => count(inner, at, isInShared || known !== undefined));
  };
  // In an order that does not depend on the routes', as the names do not.
  for (const operation of sortedOperations(document))
    mapSchemas(operation, (schema, place) => count(schema, place));
  nameAll([...found.values()].filter(({ uses }) => uses > 1));

  const schemas: Record<string, Schema> = {};
  const refer = (schema: Schema, place: Place): Schema => {
    const name = found.get(keyOf(schema, place) ?? '')?.name;
    const { description, ...rest } = mapInside(schema, place, refer);
    const described = description === undefined ? {} : { description };
    if (name === undefined) return { ...described, ...rest };
    schemas[name] = rest;
    return { ...described, $ref: `#/components/schemas/${name}` };
  };
  const shared = mapOperations(document, (operation) => mapSchemas(operation, refer)) as D & OpenApiDocument;
  return {
    ...shared,
    components: { ...shared.components, schemas: { ...shared.components?.schemas, ...schemas } },
  };
};

const sortedOperations = (document: OpenApiDocument): Operation[] =>
  Object.values(document.paths ?? {})
    .flatMap((operations) => Object.values(operations))
    .toSorted((a, b) => (a.operationId < b.operationId ? -1 : 1));

/**
 * Equal for equal objects, whatever the descriptions of the properties that have them. Undefined for whole responses, which are
 * shared with their headers (`shareResponses`), and their status, which has the codes of the call.
 */
const keyOf = ({ description: _, ...schema }: Schema, { names }: Place): string | undefined => {
  const [, part, property, inner] = names;
  const isEnvelope = part === 'response' && (property === undefined || (property === 'status' && !inner));
  return schema.properties && !isEnvelope ? JSON.stringify(schema) : undefined;
};

const nameAll = (all: Shared[]): void => {
  const taken = new Map<string, number>();
  for (const shared of all) {
    const name = nameOf(shared);
    const number = (taken.get(name) ?? 0) + 1;
    taken.set(name, number);
    shared.name = number === 1 ? name : `${name}.${number}`;
  }
};

/** `network`, `autoflow.trigger.status-change`; of the body or data itself `sim.activate.body`. */
const nameOf = ({ place: { domain, names, withVariants }, domains }: Shared): string => {
  const [call = '', part = '', ...path] = withVariants;
  const inner = path[0] === 'data' ? path.slice(1) : path;
  const isVariant = names.at(-1) !== withVariants.at(-1);
  const own = inner.slice(isVariant ? -2 : -1);
  const name =
    own.length === 0
      ? [domain, call, part === 'response' ? 'data' : part]
      : [...(domains.size === 1 ? [domain] : []), ...own];
  return name.join('.').replaceAll(/[^\w.-]/g, '_');
};
