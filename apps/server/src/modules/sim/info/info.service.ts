import {
  type Language,
  limits,
  type ResponseOf,
  type simOperationEndpoints,
  simRefusals,
} from '@simcube/contract';
import { phrase } from '@simcube/phrases';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import type { UploadedFile } from '../../../platform/files/index.ts';
import { fail } from '../../../platform/http/index.ts';
import {
  type Orderer,
  type Ordering,
  refusalMessage,
  type SimOrder,
  type TaskStarted,
} from '../operations/ordering.service.ts';
import { updateInfoRule } from '../operations/sim-operation.rules.ts';
import { findUpload, insertUpload, takeUpload } from '../uploads/uploads.queries.ts';
import { expiryOf, headingOf, readUpload, uploadColumns, withSims } from '../uploads/uploads.service.ts';
import { type InfoInput, infoInputSchema } from './info.operations.ts';
import { listInfo } from './info.views.ts';
import { type InfoRow, type RowError, readInfoRows } from './info-file.rules.ts';

type ParsedInfo = ResponseOf<typeof simOperationEndpoints.parseInfo>;

/** Rows and troubles that the answer shows; the report of the task has all. */
const rowsShown = 100;

/** As rows are kept: the ICCID, what is wrong with the row, or what it sets. */
const keptRowsSchema = z.array(
  z.tuple([z.string(), z.enum(simRefusals).nullable(), infoInputSchema.nullable()]),
);

export interface InfoUploadsOptions {
  pool: pg.Pool;
  clock: Clock;
  ordering: Ordering;
}

export const createInfoUploads = ({ pool, clock, ordering }: InfoUploadsOptions) => {
  const orderOf = (rows: (tx: Sql) => Promise<readonly InfoRow[]>, orderer: Orderer): SimOrder<unknown> => {
    let read: readonly InfoRow[] = [];
    return {
      rule: updateInfoRule,
      parameters: {},
      remark: null,
      selected: async (tx) => {
        read = await rows(tx);
        return withSims(tx, orderer.org, read);
      },
      inputs: () => read.map(inputOf),
      // Its rows are wrong for reasons of their own: the report tells them.
      refuseAll: false,
    };
  };

  return {
    /** Reads a file, keeps its rows, and tells what is wrong with them and what would become of the others. */
    async parse(orderer: Orderer, file: UploadedFile): Promise<ParsedInfo> {
      const { language, org, userId } = orderer;
      const { rows: table, places } = await readUpload(file, { wanted: uploadColumns, language });
      const { rows, errors: troubles } = readInfoRows(table, places);
      const preview = await ordering.preview(
        orderer,
        orderOf(async () => rows, orderer),
      );
      const at = clock.now();
      const right = rows.filter(({ wrong }) => !wrong);
      const kept = rows.map((row) => [row.iccid, row.wrong ?? null, row.wrong ? null : inputOf(row)]);
      return inTransaction(pool, async (tx) => ({
        upload_id: await insertUpload(tx, {
          orgId: org.id,
          userId,
          kind: 'info',
          name: file.name,
          rows: kept,
          facts: {},
          at,
          expiresAt: expiryOf(at),
        }),
        rows: rows.length,
        preview,
        errors: troubles.slice(0, rowsShown).map((trouble) => shownError(trouble, language)),
        wrong_rows: rows.length - right.length,
        sample: await sampleOf(tx, org, right.slice(0, limits.previewSample)),
      }));
    },

    /** Makes a task of a file that was read before; then the file is gone. */
    update(orderer: Orderer, uploadId: string): Promise<TaskStarted> {
      const { org, userId } = orderer;
      let name: string | null = null;
      const rows = async (tx: Sql): Promise<InfoRow[]> => {
        const wanted = { id: uploadId, orgId: org.id, userId, kind: 'info', now: clock.now() } as const;
        const upload = (await findUpload(tx, wanted)) ?? fail('CB-09-0009');
        name = upload.name;
        return keptRowsSchema
          .parse(upload.rows)
          .map(([iccid, wrong, input]) => ({ iccid, wrong: wrong ?? undefined, ...input }));
      };
      const order = orderOf(rows, orderer);
      return ordering.accept(orderer, {
        ...order,
        get remark() {
          return name;
        },
        afterwards: async (tx) => void ((await takeUpload(tx, uploadId)) || fail('CB-09-0009')),
      });
    },
  };
};

const inputOf = ({ deviceName, notes, tags }: InfoRow): InfoInput => ({ deviceName, notes, tags });

/** Rows as they will be: what a row does not say stays as it is. */
const sampleOf = async (
  tx: Sql,
  org: { id: number },
  rows: readonly InfoRow[],
): Promise<ParsedInfo['sample']> => {
  const now = await listInfo(
    tx,
    org.id,
    rows.map(({ iccid }) => iccid),
  );
  return rows.flatMap(({ iccid, deviceName, notes, tags }) => {
    const info = now.get(iccid);
    if (!info) return [];
    return {
      iccid,
      device_name: deviceName === undefined ? info.deviceName : deviceName,
      notes: notes === undefined ? info.notes : notes,
      tags: tags ?? info.tags,
    };
  });
};

const shownError = (
  { row, column, code, issue }: RowError,
  language: Language,
): ParsedInfo['errors'][number] => ({
  row,
  column: headingOf(column, language),
  code,
  message: issue
    ? phrase(language, `errors.issues.${issue.key}`, issue.values)
    : refusalMessage(code, language),
});
