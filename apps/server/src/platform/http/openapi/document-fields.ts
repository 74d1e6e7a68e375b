/** A schema of the document: JSON Schema 2020-12, as Zod writes it. */
export interface Schema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  maximum?: number;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  [keyword: string]: unknown;
}

export interface Operation {
  operationId: string;
  parameters?: { in: string; name: string; description?: string; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}
type Content = Record<string, { schema: Schema }>;

export interface OpenApiDocument {
  paths?: Record<string, Record<string, Operation>>;
  components?: { responses?: Operation['responses']; schemas?: Record<string, Schema> };
}

/**
 * Place of a schema in the document: domain, call, `path`, `query`, `header`, `body` or `response`, and the names of the
 * properties that lead to it. Items of lists and values of maps have the place of the list or map. In the response, `data` is the
 * place of the envelope's `data` itself, so that a call's own fields begin there.
 */
export interface Place {
  domain: string;
  names: readonly string[];
  /** With the constants that tell the variants of unions apart, such as `trigger.status-change.from`. */
  withVariants: readonly string[];
}

const listKeywords = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const schemaKeywords = ['items', 'additionalProperties', 'propertyNames', 'not'] as const;

/** Maps the schemas directly inside a schema; the place of a property is one name longer. */
export const mapInside = (
  schema: Schema,
  place: Place,
  map: (schema: Schema, place: Place, isProperty: boolean) => Schema,
): Schema => {
  const mapped: Schema = { ...schema };
  if (schema.properties)
    mapped.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, value]) => [name, map(value, below(place, name), true)]),
    );
  for (const keyword of listKeywords) {
    const list = schema[keyword] as Schema[] | undefined;
    if (list) mapped[keyword] = list.map((one) => map(one, inVariant(place, one), false));
  }
  for (const keyword of schemaKeywords)
    if (typeof schema[keyword] === 'object') mapped[keyword] = map(schema[keyword] as Schema, place, false);
  return mapped;
};

const below = ({ domain, names, withVariants }: Place, name: string): Place => ({
  domain,
  names: [...names, name],
  withVariants: [...withVariants, name],
});

const inVariant = (place: Place, schema: Schema): Place => {
  const variant = variantOf(schema);
  return variant === undefined ? place : { ...place, withVariants: [...place.withVariants, variant] };
};

const variantOf = ({ properties = {} }: Schema): string | undefined => {
  for (const { const: value, enum: values } of Object.values(properties)) {
    if (typeof value === 'string') return value;
    if (values?.length === 1) return String(values[0]);
  }
  return undefined;
};

/** The roots of a call's schemas are mapped by `map`, its parameters by `mapParameter`. */
export const mapOperation = (
  operation: Operation,
  map: (schema: Schema, place: Place) => Schema,
  mapParameter: <P extends NonNullable<Operation['parameters']>[number]>(parameter: P, place: Place) => P,
): Operation => {
  const [domain = '', call = ''] = operation.operationId.split('.');
  const placeOf = (...names: string[]): Place => ({
    domain,
    names: [call, ...names],
    withVariants: [call, ...names],
  });
  const mapContent = (content: Content, part: string): Content =>
    Object.fromEntries(
      Object.entries(content).map(([type, media]) => [
        type,
        { ...media, schema: map(media.schema, placeOf(part)) },
      ]),
    );
  const { parameters, requestBody, responses } = operation;
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((one) => mapParameter(one, placeOf(one.in, one.name))),
    }),
    ...(requestBody && {
      requestBody: { ...requestBody, content: mapContent(requestBody.content, 'body') },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        response.content ? { ...response, content: mapContent(response.content, 'response') } : response,
      ]),
    ),
  };
};

/** Maps all calls of the document. */
export const mapOperations = <D>(document: D, map: (operation: Operation) => Operation): D => {
  const { paths = {} } = document as OpenApiDocument;
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [
        path,
        Object.fromEntries(Object.entries(operations).map(([method, one]) => [method, map(one)])),
      ]),
    ),
  };
};
