import {
  mapInside,
  mapOperation,
  mapOperations,
  type Operation,
  type Place,
  type Schema,
} from './document-fields.ts';
import { descriptionOf } from './field-descriptions/index.ts';
import { exampleOf } from './field-examples.ts';

/**
 * Completes the schemas that Zod writes for readers and generators: a description of each parameter and property, and examples; formats of
 * numbers; and responses to which later versions may add fields.
 */
export const describeFields = <D>(document: D): D => mapOperations(document, describeOperation);

const describeOperation = (operation: Operation): Operation =>
  mapOperation(
    operation,
    (schema, place) => complete(schema, place),
    (parameter, place) => ({
      ...parameter,
      ...describedParameter(complete(parameter.schema, place), place),
      ...(parameter.description !== undefined && { description: parameter.description }),
    }),
  );

/** OpenAPI has the description beside the schema. */
const describedParameter = (schema: Schema, place: Place): { schema: Schema; description?: string } => {
  const { description, ...field } = describedField(schema, place);
  return { schema: { ...field, ...schema }, ...(description !== undefined && { description }) };
};

/** The same for the schema of one place. */
export const complete = (schema: Schema, place: Place, isProperty = false): Schema => {
  const completed = mapInside(withFormat(schema), place, complete);
  if (place.names[1] === 'response' && completed.additionalProperties === false)
    delete completed.additionalProperties;
  return isProperty ? { ...describedField(completed, place), ...completed } : completed;
};

/** Its description and an example, as far as there are such. */
const describedField = (schema: Schema, place: Place): Schema => {
  const description = descriptionOf(place);
  const example = exampleOf(place.names.at(-1) ?? '', schema);
  return {
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
};

const int32 = 2 ** 31 - 1;

const withFormat = (schema: Schema): Schema =>
  schema.type === 'integer'
    ? { ...schema, format: (schema.maximum ?? Infinity) > int32 ? 'int64' : 'int32' }
    : schema;
