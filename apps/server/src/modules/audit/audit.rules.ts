import type { ActorKind, AuditAction, AuditEntry, AuditSubjectKind } from '@simcube/contract/audit';

/** An entry as the database returns it: the hash covers nothing else. */
export interface StoredEntry {
  org_id: number;
  number: number;
  /** UTC with the database's microseconds, always six digits. */
  at: string;
  action: AuditAction;
  actor_kind: ActorKind;
  actor_id: string | null;
  actor_name: string;
  subject_kind: AuditSubjectKind;
  subject_id: string;
  subject_name: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  address: string | null;
  trace_id: string | null;
}

/** SQL for an instant with the six digits that the database stores, whatever the session's settings. */
export const instant = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The entry as callers see it, without its hash. */
export const shownEntry = (row: StoredEntry): Omit<AuditEntry, 'hash'> => ({
  number: row.number,
  at: row.at,
  action: row.action,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  subject: { kind: row.subject_kind, id: row.subject_id, name: row.subject_name },
  before: row.before,
  after: row.after,
  address: row.address,
  trace_id: row.trace_id,
});

/**
 * The hashed text: the entry as callers see it and the number of its organisation (so that a chain can't be
 * passed off as another's), as canonical JSON (RFC 8785).
 */
export const canonicalEntry = (row: StoredEntry): string =>
  canonicalJson({ ...shownEntry(row), org: row.org_id });

/** Keys in the order of their UTF-16 units; jsonb has a different order. */
const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
};

/** The fields that differ, before and after, as an entry records a change; undefined if none do. */
export const changedFields = <T extends Record<string, unknown>>(
  before: Partial<T>,
  after: T,
): { before: Partial<T>; after: Partial<T> } | undefined => {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const only = (of: Partial<T>) => Object.fromEntries(names.map((name) => [name, of[name]])) as Partial<T>;
  return names.length > 0 ? { before: only(before), after: only(after) } : undefined;
};

const secretKey =
  /pass(word|phrase|wd)|secret|token|hash|otp|recovery.?code|authorization|cookie|private.?key/i;
const longestText = 2000;
const longestValues = 64 * 1024;
const longestName = 300;

/**
 * Makes values safe to store: plain JSON without secrets (a secret passed in by mistake would stay forever),
 * without characters that the database's JSON rejects, and of bounded length.
 */
export const recordableValues = (
  values: Record<string, unknown> | null | undefined,
): Record<string, unknown> | null => {
  if (!values) return null;
  const plain = JSON.parse(JSON.stringify(values, masked)) as Record<string, unknown>;
  const octets = Buffer.byteLength(JSON.stringify(plain));
  return octets > longestValues ? { omitted_octets: octets } : plain;
};

const masked = (key: string, value: unknown): unknown => {
  if (typeof value === 'boolean' || value === null || value === undefined) return value;
  if (secretKey.test(key)) return '[masked]';
  return typeof value === 'string' ? storable(value, longestText) : value;
};

export const recordableName = (name: string): string => storable(name, longestName);

/** PostgreSQL accepts neither U+0000 nor an unpaired surrogate. */
const storable = (text: string, longest: number): string =>
  text.slice(0, longest).replaceAll(/\0|\p{Surrogate}/gu, '\ufffd');
