import { endpoints, limits } from '@simcube/contract';
import type { BillLine } from '@simcube/contract/finance';
import type { FileFormat } from '@simcube/contract/task';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { call, download, endpointQuery } from '../../lib/api-client/index.ts';
import { openFileTab, saveFile } from '../../lib/download/index.ts';
import { usePageQuery } from '../../ui/list-screen/index.ts';
import { useApiQuery, useLoadMore } from '../../ui/query/index.ts';
import { type BillSimsSearch, type BillsSearch, billsSearch } from './search.ts';

const { finance } = endpoints;

/** One page of the organisation's bills. */
export const useBills = (search: BillsSearch) => {
  const { versions, ...filter } = billsSearch.filterOf(search);
  return usePageQuery(search, (page) =>
    endpointQuery(finance.list, { body: { ...filter, replaced: versions === 'all', ...page } }),
  );
};

/** Open amounts by currency, and the totals of the year's months. */
export const useSettlement = (year: number) =>
  useApiQuery({
    ...endpointQuery(finance.settles, { query: { year } }),
    // What is open does not depend on the year.
    placeholderData: keepPreviousData,
  });

/** The expected cost of the running month. */
export const useEstimate = () => useApiQuery(endpointQuery(finance.estimate));

/** Where the same usage would have cost less. */
export const useOffers = () => useApiQuery(endpointQuery(finance.offers));

const pollMs = 2000;

/** A version of a bill, with the version it replaced; polled while it is being recomputed in the background. */
export const useBill = (billId: string) =>
  useApiQuery({
    ...endpointQuery(finance.version, { query: { billId } }),
    refetchInterval: ({ state }) => (state.data?.data.checking ? pollMs : false),
  });

const fullPage = { page_size: limits.page.maxByApi };

/** The lines of a bill; the first page has the API's default size. */
export const useBillLines = (billId: string) =>
  useLoadMore<BillLine>({
    key: [finance.details.id, { query: { billId, pages: 'all' } }],
    request: ({ cursor, signal }) =>
      call(finance.details, { query: { billId, ...fullPage, cursor }, signal, announce: false }),
  });

/** Totals of a bill's sections, by group; needed only if not all of its lines are loaded. */
export const useBillExtract = (billId: string, enabled: boolean) =>
  useApiQuery({ ...endpointQuery(finance.extract, { params: { billId } }), enabled });

/** One line of a bill, wherever it is among them. */
export const useBillLine = (billId: string, line: number | undefined) =>
  useApiQuery({
    ...endpointQuery(finance.details, { query: { billId, line } }),
    enabled: line !== undefined,
  });

/** The lines of the version that a bill replaced, unless there are too many to compare. */
export const usePreviousLines = (billId: string | undefined) => {
  const { data } = useApiQuery({
    ...endpointQuery(finance.details, { query: { billId: billId ?? '0', ...fullPage } }),
    enabled: billId !== undefined,
  });
  return data && (data.totalCount ?? 0) <= data.data.length ? data.data : undefined;
};

/** All versions of a bill, latest first. */
export const useVersions = (billId: string) =>
  useApiQuery(endpointQuery(finance.versions, { query: { billId, ...fullPage } }));

/** Each SIM's part of a bill, or of one of its lines. */
export const useBillSims = (billId: string, { search, line, ...page }: BillSimsSearch) =>
  usePageQuery(page, (pageRequest) =>
    endpointQuery(finance.listSims, { body: { billId, search, line, ...pageRequest } }),
  );

const shownSims = 8;

/** The SIMs with the largest parts of a line. */
export const useLargestSims = (billId: string, line: number) =>
  useApiQuery(
    endpointQuery(finance.listSims, { body: { billId, line, sort: '-amount', page_size: shownSims } }),
  );

/** The records of a SIM's cycle, by day. */
export const useBilledCycle = (query: { billId: string; line: number; iccid: string; cycle: string }) =>
  useApiQuery(endpointQuery(finance.cycle, { query }));

/** The shared pool's cycle that a line of a bill charges. */
export const usePoolCycle = (query: { billId: string; line: number }) =>
  useApiQuery(endpointQuery(finance.poolCycle, { query }));

const membersPerPage = 20;

/** Its SIMs, by usage, largest first. */
export const usePoolMembers = (of: { billId: string; line: number }) =>
  useLoadMore({
    key: [finance.listPoolMembers.id, { body: { ...of, pages: 'all' } }],
    request: ({ cursor, signal }) =>
      call(finance.listPoolMembers, {
        body: { ...of, page_size: membersPerPage, cursor },
        signal,
        announce: false,
      }),
  });

/** Requests that a bill be recomputed; rejects with the server's error, which the API client has shown. */
export const useRecompute = (billId: string): (() => Promise<void>) => {
  const client = useQueryClient();
  return async () => {
    await call(finance.check, { body: { billId } });
    await client.invalidateQueries({ queryKey: [finance.version.id] });
  };
};

/** A bill's lines, or each SIM's part of them, as a file. */
export const downloadBill =
  (billId: string, content: 'lines' | 'sims') =>
  async (format: FileFormat): Promise<void> =>
    saveFile(await download(finance.download, { params: { billId }, query: { format, content } }));

/** A bill's PDF in the language of the screen, saved, or shown in a tab. */
export const pdfOf = (billId: string) => ({
  save: async (): Promise<void> => saveFile(await download(finance.pdf, { query: { billId } })),
  preview: async (): Promise<void> => {
    const tab = openFileTab();
    try {
      tab.show(await download(finance.previewPdf, { query: { billId } }));
    } catch (error) {
      tab.close();
      throw error;
    }
  },
});
