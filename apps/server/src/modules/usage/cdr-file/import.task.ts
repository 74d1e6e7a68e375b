import { type ImportOptions, type ImportReport, importCdrs } from './import.service.ts';
import { countLines, readLineBlocks } from './lines.ts';

/** Shows a running import to a person; the task module stores it. */
export interface CdrTasks {
  beginForPerson(task: {
    email: string;
    type: 'cdr-import';
    quantity: number;
    remark: string | null;
  }): Promise<CdrTask>;
}

interface CdrTask {
  reportProgress(progress: { done: number; quantity: number }): Promise<void>;
  finish(result: Pick<ImportReport, 'accepted' | 'duplicate' | 'refused'> | null): Promise<void>;
}

/** An import that a person can watch. Resuming an import begins a new task. */
export const importCdrsAsTask = async (
  tasks: CdrTasks,
  { email, ...options }: ImportOptions & { email: string },
): Promise<ImportReport> => {
  const quantity = await countRows(options);
  const task = await tasks.beginForPerson({
    email,
    type: 'cdr-import',
    quantity,
    remark: options.source.name,
  });
  const onProgress: ImportOptions['onProgress'] = async (progress) => {
    await options.onProgress?.(progress);
    await task.reportProgress({ done: Math.max(0, progress.lines - 1), quantity });
  };
  try {
    const report = await importCdrs({ ...options, onProgress });
    const { accepted, duplicate, refused } = report;
    await task.reportProgress({ done: quantity, quantity });
    await task.finish({ accepted, duplicate, refused });
    return report;
  } catch (error) {
    await task.finish(null);
    throw error;
  }
};

/** Number of lines after the header. */
const countRows = async ({ source }: Pick<ImportOptions, 'source'>): Promise<number> => {
  let lines = 0;
  for await (const block of readLineBlocks(source.open(0), 0)) lines += countLines(block);
  return Math.max(0, lines - 1);
};
