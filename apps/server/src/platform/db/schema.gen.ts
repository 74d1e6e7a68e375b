export type DB = Record<string, never>;
