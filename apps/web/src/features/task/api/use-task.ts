import { endpoints, headers } from '@simcube/contract';
import type { FileFormat, TaskItem } from '@simcube/contract/task';
import { ApiFailure, call, download, endpointQuery } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useAnswer, useMore } from '../../../ui/answer/index.ts';

const task = endpoints.task;

export const useTask = (taskReference: string) =>
  useAnswer(endpointQuery(task.getMine, { params: { taskReference } }));

export type ItemState = TaskItem['state'];

const pageSize = 50;

/** What became of each item, page by page as asked for; the words of a refusal are the server's, so by language. */
export const useTaskItems = (taskReference: string, state: ItemState | undefined, language: string) =>
  useMore<TaskItem>({
    key: [task.listItems.id, { params: { taskReference }, query: { state } }, language],
    ask: ({ cursor, signal }) =>
      call(task.listItems, {
        params: { taskReference },
        query: { state, page_size: pageSize, cursor },
        signal,
        announce: false,
      }),
  });

/** The report of a task: a token that works once stands for the sign-in, in a header, never in an address. */
export const saveReport = async (taskReference: string, format: FileFormat): Promise<void> => {
  const { data } = await call(task.makeDownloadToken, { query: { taskReference, format } });
  saveFile(
    await download(task.download, {
      params: { taskReference },
      headers: { [headers.oneTimeToken]: data.token },
    }),
  );
};

/** Saves the report at a press; says while it does so. */
export const reportSaver = (taskReference: string, onBusy: (busy: boolean) => void) => (): void => {
  onBusy(true);
  saveReport(taskReference, 'csv')
    .catch((error: unknown) => {
      // The API client has already shown why a call failed.
      if (!(error instanceof ApiFailure)) console.error('report not saved', error);
    })
    .finally(() => onBusy(false));
};
