import { endpoints, headers } from '@simcube/contract';
import type { FileFormat, TaskItem } from '@simcube/contract/task';
import { attempt, call, download, endpointQuery } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useApiQuery, useLoadMore } from '../../../ui/query/index.ts';

const task = endpoints.task;

export const useTask = (taskReference: string) =>
  useApiQuery(endpointQuery(task.getMine, { params: { taskReference } }));

export type ItemState = TaskItem['state'];

const pageSize = 50;

/** The outcome of each item, with more pages on demand; the server words the refusals, so the key includes the language. */
export const useTaskItems = (taskReference: string, state: ItemState | undefined, language: string) =>
  useLoadMore<TaskItem>({
    key: [task.listItems.id, { params: { taskReference }, query: { state } }, language],
    request: ({ cursor, signal }) =>
      call(task.listItems, {
        params: { taskReference },
        query: { state, page_size: pageSize, cursor },
        signal,
        announce: false,
      }),
  });

/** Downloads the report of a task: a one-time token replaces the sign-in, sent in a header, never in a URL. */
export const downloadReport = async (taskReference: string, format: FileFormat): Promise<void> => {
  const { data } = await call(task.makeDownloadToken, { query: { taskReference, format } });
  saveFile(
    await download(task.download, {
      params: { taskReference },
      headers: { [headers.oneTimeToken]: data.token },
    }),
  );
};

/** Downloads the report as a person's action: the API client has already shown failed calls. */
export const saveReport = (taskReference: string, format: FileFormat = 'csv'): Promise<boolean> =>
  attempt(() => downloadReport(taskReference, format));

/** Returns a handler that saves the report, and reports while it is busy. */
export const reportDownloader = (taskReference: string, onBusy: (busy: boolean) => void) => (): void => {
  onBusy(true);
  void saveReport(taskReference).then(() => onBusy(false));
};
