/** What a handler may return instead of plain data: a page of a list, or data with its freshness. */
export class Answer<T> {
  readonly data: T;
  readonly meta: AnswerMeta;

  constructor(data: T, meta: AnswerMeta) {
    this.data = data;
    this.meta = meta;
  }
}

export interface AnswerMeta {
  total?: number;
  relation?: 'eq' | 'gte';
  nextCursor?: string | null;
  asOf?: Date;
  /** The transactions that the data includes, as a PostgreSQL snapshot. */
  snapshot?: string;
}

/** A page of a list. */
export const page = <T>(answer: {
  data: T[];
  total: number;
  relation?: 'eq' | 'gte';
  nextCursor?: string | null;
  asOf?: Date;
}): Answer<T[]> => {
  const { data, ...meta } = answer;
  return new Answer(data, meta);
};

/**
 * Data as of `asOf` rather than now, optionally with the snapshot in which it was read, from which live events
 * continue.
 */
export const withAsOf = <T>(data: T, asOf: Date, snapshot?: string): Answer<T> =>
  new Answer(data, snapshot === undefined ? { asOf } : { asOf, snapshot });
