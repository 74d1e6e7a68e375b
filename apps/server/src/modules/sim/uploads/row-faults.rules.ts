import { type InputIssue, issueKeys } from '@simcube/contract';
import { type SimRefusal, simRefusals } from '@simcube/contract/sim';
import { z } from 'zod';
import { type UploadColumn, uploadColumns } from '../columns.rules.ts';

/** A fault of one value of a row. */
export interface RowFault {
  column: UploadColumn;
  /** The value in the file, shortened. */
  value: string;
  code: SimRefusal;
  /** What was expected instead. */
  issue?: Pick<InputIssue, 'key' | 'values'> | undefined;
}

/** Faults as stored with the rows of a file. */
export const rowFaultSchema = z.object({
  column: z.enum(uploadColumns),
  value: z.string(),
  code: z.enum(simRefusals),
  issue: z
    .object({
      key: z.enum(issueKeys),
      values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    })
    .optional(),
});

/** One row of a file; faulty ones are included, so that the report names every row. */
export interface FileRow {
  iccid: string;
  /** The first of its faults. */
  refusal: SimRefusal | undefined;
  faults: readonly RowFault[];
}

/** The same while the file is read. `row`: as a spreadsheet counts; the heading is row 1. */
export interface NumberedRow extends FileRow {
  row: number;
}
