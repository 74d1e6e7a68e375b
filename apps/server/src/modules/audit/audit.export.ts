import { Readable } from 'node:stream';
import { limits } from '@simcube/contract';
import type { AuditEntry } from '@simcube/contract/audit';
import { csvByteOrderMark, csvLine } from '../../platform/csv/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { readAll } from '../../platform/lists/index.ts';
import { type AuditFilter, entryList } from './audit.views.ts';

/** An entry may have a hundred kilobytes, so only a few are held at a time. */
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

interface EntriesQuery {
  scope: { orgId: number };
  filter: AuditFilter;
  now: Date;
}

/** The newest entries as CSV, read in batches at the pace of the receiver. */
export const exportEntries = (db: Db, query: EntriesQuery): Readable =>
  Readable.from(linesOf(db, query), { objectMode: false });

async function* linesOf(db: Db, query: EntriesQuery): AsyncGenerator<string> {
  yield csvByteOrderMark + csvLine(header);
  let remaining: number = limits.auditExport;
  for await (const entries of readAll(db, entryList, { ...query, atOnce: batch })) {
    yield entries.slice(0, remaining).map(lineOf).join('');
    remaining -= entries.length;
    if (remaining <= 0) return;
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
