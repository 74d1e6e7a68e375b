/**
 * Descriptions by the end of the field's place: `iccid` applies to every field of this name, `session.id` to the `id` of every
 * session, `list.query.search` to a parameter of one call. The longest one applies; of equally long ones, that of the domain.
 */
export type FieldDescriptions = Readonly<Record<string, string>>;
