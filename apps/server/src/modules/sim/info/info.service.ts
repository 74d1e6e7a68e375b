import { type endpoints, limits, type ResponseOf } from '@simcube/contract';
import type { UploadQuery } from '@simcube/contract/task';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import type { UploadedFile } from '../../../platform/files/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { uploadColumns } from '../columns.rules.ts';
import type { Orderer, Ordering, SimOrder, TaskStarted } from '../ordering/ordering.service.ts';
import { updateInfoRule } from '../ordering/sim-operation.rules.ts';
import { rowFaultSchema } from '../uploads/row-faults.rules.ts';
import { consumeUpload, findUpload } from '../uploads/uploads.queries.ts';
import { readUpload, rowErrorsOf, selectionFromFile, storeUpload } from '../uploads/uploads.service.ts';
import { type InfoInput, infoInputSchema } from './info.operations.ts';
import { listInfo } from './info.views.ts';
import { type InfoRow, readInfoRows } from './info-file.rules.ts';

type ParsedInfo = ResponseOf<typeof endpoints.sim.parseInfo>;

/** Stored rows: the ICCID, what the row sets, and its faults. */
const storedRowsSchema = z.array(z.tuple([z.string(), infoInputSchema, z.array(rowFaultSchema)]));

export interface InfoUploadsOptions {
  pool: pg.Pool;
  clock: Clock;
  ordering: Ordering;
}

export const createInfoUploads = ({ pool, clock, ordering }: InfoUploadsOptions) => {
  const orderOf = (
    orderer: Orderer,
    file: { file: string; rows: (tx: Sql) => Promise<readonly StoredRow[]> },
  ): SimOrder<unknown> => {
    const { read, ...fileSelection } = selectionFromFile(orderer.org, file);
    return {
      rule: updateInfoRule,
      parameters: {},
      remark: null,
      ...fileSelection,
      inputs: () => read().map(inputOf),
      // Rows are refused for different reasons, which the report lists.
      refuseAll: false,
    };
  };

  return {
    /** Reads a file, stores its rows, and returns the faults of its rows and the effect of the others. */
    async parse(
      orderer: Orderer,
      { file, replaces }: { file: UploadedFile } & UploadQuery,
    ): Promise<ParsedInfo> {
      const { language, org, userId } = orderer;
      const { rows: table, positions } = await readUpload(file, { expectedColumns: uploadColumns, language });
      const rows = readInfoRows(table, positions);
      const { preview, refused } = await ordering.inspect(
        orderer,
        orderOf(orderer, { file: file.name, rows: async () => rows }),
      );
      const at = clock.now();
      return inTransaction(pool, async (tx) => ({
        upload_id: await storeUpload(tx, {
          orgId: org.id,
          userId,
          kind: 'info',
          name: file.name,
          rows: rows.map((row) => [row.iccid, inputOf(row), row.faults]),
          facts: {},
          at,
          replaces,
        }),
        rows: rows.length,
        preview,
        ...rowErrorsOf(rows, refused, language),
        sample: await sampleOf(
          tx,
          org,
          rows.filter((_, index) => !refused.has(index)).slice(0, limits.previewSample),
        ),
      }));
    },

    /** Creates a task from an uploaded file; the upload is then deleted. */
    update(orderer: Orderer, uploadId: string): Promise<TaskStarted> {
      const { org, userId } = orderer;
      let name: string | null = null;
      const rows = async (tx: Sql): Promise<StoredRow[]> => {
        const uploadKey = { id: uploadId, orgId: org.id, userId, kind: 'info', now: clock.now() } as const;
        const upload = (await findUpload(tx, uploadKey)) ?? fail('CB-09-0009');
        name = upload.name;
        // A file stored by an earlier version must be uploaded again.
        const stored = storedRowsSchema.safeParse(upload.rows);
        if (!stored.success) return fail('CB-09-0009');
        return stored.data.map(([iccid, input, faults]) => ({
          iccid,
          refusal: faults[0]?.code,
          faults,
          ...input,
        }));
      };
      const order = orderOf(orderer, { file: uploadId, rows });
      return ordering.accept(orderer, {
        ...order,
        get remark() {
          return name;
        },
        afterAccept: async (tx) => void ((await consumeUpload(tx, uploadId)) || fail('CB-09-0009')),
      });
    },
  };
};

type StoredRow = Omit<InfoRow, 'row'>;

const inputOf = ({ deviceName, notes, tags }: StoredRow): InfoInput => ({ deviceName, notes, tags });

/** Rows as they will be: fields that the file leaves out stay unchanged. */
const sampleOf = async (
  tx: Sql,
  org: { id: number },
  rows: readonly InfoRow[],
): Promise<ParsedInfo['sample']> => {
  const currentInfo = await listInfo(
    tx,
    org.id,
    rows.map(({ iccid }) => iccid),
  );
  return rows.flatMap(({ iccid, deviceName, notes, tags }) => {
    const info = currentInfo.get(iccid);
    if (!info) return [];
    return {
      iccid,
      device_name: deviceName === undefined ? info.deviceName : deviceName,
      notes: notes === undefined ? info.notes : notes,
      tags: tags ?? info.tags,
    };
  });
};
