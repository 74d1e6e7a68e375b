import { z } from 'zod';

/** Where a cell stands. */
export interface CellRow {
  /** As accounting reports it: type and numbers (3GPP-User-Location-Info). */
  cell: string;
  latitude: number;
  longitude: number;
  name: string | null;
}

/** Columns of the file, in any order; others are ignored. */
export const cellColumns = ['cell', 'latitude', 'longitude', 'name'] as const;

const degrees = (most: number) =>
  z
    .string()
    .trim()
    .regex(/^[+-]?\d{1,3}(\.\d+)?$/, 'is no number of degrees')
    .transform(Number)
    .pipe(z.number().min(-most).max(most));

const lineSchema = z.object({
  cell: z.string().trim().min(1).max(64),
  latitude: degrees(90),
  longitude: degrees(180),
  name: z
    .string()
    .trim()
    .max(100)
    .optional()
    .transform((name) => name || null),
});

/** A line of the file, or what is wrong with it. */
export const readCell = (line: Record<string, string>): CellRow | string => {
  const read = lineSchema.safeParse(line);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return `${issue?.path.join('.') ?? 'line'}: ${issue?.message ?? 'wrong'}`;
};
