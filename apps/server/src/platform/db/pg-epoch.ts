/** PostgreSQL's binary formats count timestamps from 2000-01-01 UTC, here in milliseconds since 1970. */
export const pgEpochMs = Date.UTC(2000, 0, 1);

/** The same for dates, in days since 1970. */
export const pgEpochDays = pgEpochMs / (24 * 3600 * 1000);
