import type { Readable } from 'node:stream';
import { type ImportOptions, type ImportReport, importSims } from './sim-import.service.ts';

/** How an import is shown to a person while it runs; the task module keeps it. */
export interface ImportTasks {
  beginFor(task: {
    email: string;
    type: 'sim-import';
    quantity: number;
    remark: string | null;
  }): Promise<ImportTask>;
}

interface ImportTask {
  move(progress: { done: number; quantity: number }): Promise<void>;
  end(result: ImportReport | null): Promise<void>;
}

export interface TaskImportOptions extends Omit<ImportOptions, 'file' | 'onProgress'> {
  /** Whose task it is. */
  email: string;
  /** The file's name, shown as the name of the task. */
  name: string;
  open: () => Readable;
}

/** An import that its person can watch. It is read twice: how long it is must be known before it begins. */
export const importSimsAsTask = async (
  tasks: ImportTasks,
  { email, name, open, ...options }: TaskImportOptions,
): Promise<ImportReport> => {
  const quantity = await countRows(open());
  const task = await tasks.beginFor({ email, type: 'sim-import', quantity, remark: name });
  const onProgress = (report: ImportReport) => task.move({ done: doneOf(report), quantity });
  try {
    const report = await importSims({ ...options, file: open(), onProgress });
    // A row may run over two lines, and empty lines are none: now it is known how many there were.
    await task.move({ done: doneOf(report), quantity: doneOf(report) });
    await task.end(report);
    return report;
  } catch (error) {
    await task.end(null);
    throw error;
  }
};

const doneOf = ({ accepted, duplicate, refused }: ImportReport): number => accepted + duplicate + refused;

const lineFeed = 10;

/** Lines under the header. */
const countRows = async (file: Readable): Promise<number> => {
  let lines = 0;
  let last = lineFeed;
  for await (const piece of file as AsyncIterable<Buffer>) {
    for (const octet of piece) {
      if (octet === lineFeed) lines += 1;
    }
    last = piece.at(-1) ?? last;
  }
  return Math.max(0, lines + (last === lineFeed ? 0 : 1) - 1);
};
