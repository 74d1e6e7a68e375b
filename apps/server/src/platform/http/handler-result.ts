/** What a handler may return instead of plain data: a page of a list, or data with its freshness. */
export class HandlerResult<T> {
  readonly data: T;
  readonly meta: ResultMeta;

  constructor(data: T, meta: ResultMeta) {
    this.data = data;
    this.meta = meta;
  }
}

export interface ResultMeta {
  total?: number;
  relation?: 'eq' | 'gte';
  nextCursor?: string | null;
  asOf?: Date;
  /** The transactions that the data includes, as a PostgreSQL snapshot. */
  snapshot?: string;
}

/** A page of a list. */
export const page = <T>(result: {
  data: T[];
  total: number;
  relation?: 'eq' | 'gte';
  nextCursor?: string | null;
  asOf?: Date;
}): HandlerResult<T[]> => {
  const { data, ...meta } = result;
  return new HandlerResult(data, meta);
};

/**
 * Data as of `asOf` rather than now, optionally with the snapshot in which it was read, from which live events
 * continue.
 */
export const withAsOf = <T>(data: T, asOf: Date, snapshot?: string): HandlerResult<T> =>
  new HandlerResult(data, snapshot === undefined ? { asOf } : { asOf, snapshot });
