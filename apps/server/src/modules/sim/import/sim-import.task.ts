import type { Readable } from 'node:stream';
import { type ImportOptions, type ImportReport, importSims } from './sim-import.service.ts';

/** Shows an import to a person while it runs; implemented by the task module. */
export interface ImportTasks {
  beginForPerson(task: {
    email: string;
    type: 'sim-import';
    quantity: number;
    remark: string | null;
  }): Promise<ImportTask>;
}

interface ImportTask {
  reportProgress(progress: { done: number; quantity: number }): Promise<void>;
  finish(result: ImportReport | null): Promise<void>;
}

export interface TaskImportOptions extends Omit<ImportOptions, 'file' | 'onProgress'> {
  /** The person of the task. */
  email: string;
  /** The file's name, which becomes the name of the task. */
  name: string;
  open: () => Readable;
}

/** An import that its person can watch. The file is read twice, because its length must be known before it begins. */
export const importSimsAsTask = async (
  tasks: ImportTasks,
  { email, name, open, ...options }: TaskImportOptions,
): Promise<ImportReport> => {
  const quantity = await countRows(open());
  const task = await tasks.beginForPerson({ email, type: 'sim-import', quantity, remark: name });
  const onProgress = (report: ImportReport) => task.reportProgress({ done: processedRows(report), quantity });
  try {
    const report = await importSims({ ...options, file: open(), onProgress });
    // A row may span several lines, and empty lines are not rows: only now the number of rows is known.
    await task.reportProgress({ done: processedRows(report), quantity: processedRows(report) });
    await task.finish(report);
    return report;
  } catch (error) {
    // The same database may be the cause: the reason of the import counts. The task ends without progress, after an hour.
    await task.finish(null).catch(() => undefined);
    throw error;
  }
};

const processedRows = ({ accepted, duplicate, refused }: ImportReport): number =>
  accepted + duplicate + refused;

const lineFeed = 10;

/** Lines below the header. */
const countRows = async (file: Readable): Promise<number> => {
  let lines = 0;
  let last = lineFeed;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    for (const octet of chunk) {
      if (octet === lineFeed) lines += 1;
    }
    last = chunk.at(-1) ?? last;
  }
  return Math.max(0, lines + (last === lineFeed ? 0 : 1) - 1);
};
