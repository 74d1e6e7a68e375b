import type { endpoints, ResponseOf } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import type { UploadQuery } from '@simcube/contract/task';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import type { UploadedFile } from '../../../platform/files/index.ts';
import { fail } from '../../../platform/http/index.ts';
import type { Orderer, Ordering, SimOrder } from '../ordering/ordering.service.ts';
import { transferRule } from '../ordering/sim-operation.rules.ts';
import { readTransferRows } from '../uploads/iccid-file.rules.ts';
import { type FileRow, rowFaultSchema } from '../uploads/row-faults.rules.ts';
import { consumeUpload, findUpload } from '../uploads/uploads.queries.ts';
import { readUpload, rowErrorsOf, selectionFromFile, storeUpload } from '../uploads/uploads.service.ts';
import type { FindPoolSims, TransferParameters } from './transfer.operation.ts';

/**
 * An organisation in which a person is an admin; undefined for any other code. Fails if the call does not meet the
 * sign-in rules there. Passed in by `main/wire.ts`.
 */
export type AdminOrganisation = (who: {
  userId: string;
  sessionBeganAt: Date | null;
  address: string | null;
  code: string;
  /** The operator at the command line may choose any organisation. */
  isOperator: boolean;
}) => Promise<{ id: number; code: string; name: string } | undefined>;

export interface TransferOptions {
  pool: pg.Pool;
  clock: Clock;
  ordering: Ordering;
  adminOrganisation: AdminOrganisation;
  findPoolSims: FindPoolSims;
}

export interface Transferrer extends Orderer {
  org: { id: number; code: string };
  /** Null for an API key and the operator. */
  sessionBeganAt: Date | null;
}

/** Stored rows: the ICCID, and its faults. */
const storedRowsSchema = z.array(z.tuple([z.string(), z.array(rowFaultSchema)]));

export type Transfer = ReturnType<typeof createTransfer>;

export const createTransfer = ({
  pool,
  clock,
  ordering,
  adminOrganisation,
  findPoolSims,
}: TransferOptions) => {
  /**
   * @throws Failure CB-01-0018, CB-01-0024; CB-07-0036, CB-07-0037, CB-07-0038 for the target's sign-in rules; CB-07-0029
   * for the operator
   */
  const getTarget = async ({ userId, org, actor, sessionBeganAt }: Transferrer, code: string) => {
    const isOperator = actor.kind === 'operator';
    const { address } = actor;
    const target =
      (await adminOrganisation({ userId, sessionBeganAt, address, code, isOperator })) ??
      // Specification, section 6: only to organisations in which the person is an admin.
      fail(isOperator ? 'CB-07-0029' : 'CB-01-0018');
    return target.id === org.id ? fail('CB-01-0024') : target;
  };

  const orderOf = async (
    transferrer: Transferrer,
    targetCode: string,
    selected: SimOrder<TransferParameters>['selected'],
  ): Promise<SimOrder<TransferParameters, boolean>> => {
    const target = await getTarget(transferrer, targetCode);
    return {
      rule: transferRule,
      parameters: {
        fromCode: transferrer.org.code,
        targetId: target.id,
        targetCode: target.code,
        requiresAdmin: transferrer.actor.kind !== 'operator',
      },
      remark: target.name,
      selected,
      extraFacts: findPoolSims,
      auditDetails: { target: target.code },
    };
  };

  return {
    /** Reads a file, stores its rows and returns a preview. */
    async parse(
      transferrer: Transferrer,
      { file, targetCode, replaces }: { file: UploadedFile; targetCode: string } & UploadQuery,
    ): Promise<ResponseOf<typeof endpoints.sim.parseTransfer>> {
      await getTarget(transferrer, targetCode);
      const { rows, positions } = await readUpload(file, {
        expectedColumns: ['iccid'],
        language: transferrer.language,
      });
      const parsedRows = readTransferRows(rows, positions.iccid);
      const fileSelection = selectionFromFile(transferrer.org, {
        file: file.name,
        rows: async () => parsedRows,
      });
      const order = await orderOf(transferrer, targetCode, fileSelection.selected);
      const { preview, refused } = await ordering.inspect(transferrer, order);
      const at = clock.now();
      const id = await inTransaction(pool, (tx) =>
        storeUpload(tx, {
          orgId: transferrer.org.id,
          userId: transferrer.userId,
          kind: 'transfer',
          name: file.name,
          rows: parsedRows.map(({ iccid, faults }) => [iccid, faults]),
          facts: { target: order.parameters.targetCode },
          at,
          replaces,
        }),
      );
      return { upload_id: id, preview, ...rowErrorsOf(parsedRows, refused, transferrer.language) };
    },

    order: (
      transferrer: Transferrer,
      { targetCode, selection }: { targetCode: string; selection: SimSelection },
    ) => orderOf(transferrer, targetCode, selection),

    /** The candidates of an uploaded file; the upload is deleted when it becomes a task. */
    async orderFromUpload(
      transferrer: Transferrer,
      { targetCode, uploadId }: { targetCode: string; uploadId: string },
    ): Promise<SimOrder<TransferParameters, boolean>> {
      const { org, userId } = transferrer;
      const rows = async (tx: Sql): Promise<FileRow[]> => {
        const uploadKey = {
          id: uploadId,
          orgId: org.id,
          userId,
          kind: 'transfer',
          now: clock.now(),
        } as const;
        const upload = (await findUpload(tx, uploadKey)) ?? fail('CB-09-0009');
        if (upload.facts.target !== order.parameters.targetCode) fail('CB-09-0009');
        // A file stored by an earlier version must be uploaded again.
        const stored = storedRowsSchema.safeParse(upload.rows);
        if (!stored.success) return fail('CB-09-0009');
        return stored.data.map(([iccid, faults]) => ({ iccid, refusal: faults[0]?.code, faults }));
      };
      const { selected, faults } = selectionFromFile(org, { file: uploadId, rows });
      const order = await orderOf(transferrer, targetCode, selected);
      return {
        ...order,
        faults,
        afterAccept: async (tx) => void ((await consumeUpload(tx, uploadId)) || fail('CB-09-0009')),
      };
    },
  };
};
