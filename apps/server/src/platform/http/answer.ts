/** What a handler may return besides plain data: a page of a list, or data with its freshness. */
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
  /** The transactions that the data holds, as PostgreSQL writes a snapshot. */
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

/** Data that was true at `asOf` rather than now; with the snapshot that it was read in, where live events go on from it. */
export const withAsOf = <T>(data: T, asOf: Date, snapshot?: string): Answer<T> =>
  new Answer(data, snapshot === undefined ? { asOf } : { asOf, snapshot });
