import { Readable } from 'node:stream';
import { limits } from '@simcube/contract';
import type { AuditEntry } from '@simcube/contract/audit';
import { csvBeginning, csvLine } from '../../platform/csv/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { type AuditFilter, listEntries } from './audit.views.ts';

/** An entry may be as long as a hundred kilobytes, so that few of them are held at once. */
const batch = 500;

const header = [
  'number',
  'at',
  'action',
  'actor_kind',
  'actor_id',
  'actor_name',
  'subject_kind',
  'subject_id',
  'subject_name',
  'before',
  'after',
  'address',
  'trace_id',
  'hash',
];

/** The newest entries as CSV, read a batch at a time as fast as the receiver takes them. */
export const exportEntries = (sql: Sql, query: { orgId: number; filter: AuditFilter }): Readable =>
  Readable.from(linesOf(sql, query), { objectMode: false });

async function* linesOf(
  sql: Sql,
  { orgId, filter }: { orgId: number; filter: AuditFilter },
): AsyncGenerator<string> {
  yield csvBeginning + csvLine(header);
  let below: number | undefined;
  for (let left: number = limits.auditExport; left > 0; left -= batch) {
    const entries = await listEntries(sql, { orgId, filter, below, limit: Math.min(batch, left) });
    if (entries.length > 0) yield entries.map(lineOf).join('');
    if (entries.length < batch) return;
    below = entries.at(-1)?.number;
  }
}

const lineOf = ({ number, at, action, actor, subject, ...entry }: AuditEntry): string =>
  csvLine([
    number,
    at,
    action,
    actor.kind,
    actor.id,
    actor.name,
    subject.kind,
    subject.id,
    subject.name,
    entry.before && JSON.stringify(entry.before),
    entry.after && JSON.stringify(entry.after),
    entry.address,
    entry.trace_id,
    entry.hash,
  ]);
