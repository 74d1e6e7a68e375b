import { endpoints, headers } from '@simcube/contract';
import type { FileFormat, TaskItem } from '@simcube/contract/task';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type Answer,
  ApiFailure,
  call,
  download,
  endpointQuery,
  persistent,
} from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';

const task = endpoints.task;

export const useTask = (taskReference: string) =>
  useAnswer(endpointQuery(task.getMine, { params: { taskReference } }));

export type ItemState = TaskItem['state'];

interface Items {
  items: TaskItem[];
  total: number;
}

const pageSize = 50;

/** What became of each item, page by page as asked for; the words of a refusal are the server's, so by language. */
export const useTaskItems = (taskReference: string, state: ItemState | undefined, language: string) => {
  const query = useInfiniteQuery<
    Answer<TaskItem[]>,
    ApiFailure,
    Items,
    readonly unknown[],
    string | undefined
  >({
    queryKey: [task.listItems.id, { params: { taskReference }, query: { state } }, language],
    queryFn: ({ pageParam, signal }) =>
      call(task.listItems, {
        params: { taskReference },
        query: { state, page_size: pageSize, cursor: pageParam },
        signal,
        announce: false,
      }),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }) => ({
      items: pages.flatMap(({ data }) => data),
      total: pages[0]?.totalCount ?? 0,
    }),
    ...persistent,
  });
  return { ...query, error: query.error ?? query.failureReason };
};

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
