import { endpoints, limits } from '@simcube/contract';
import type { BillLine } from '@simcube/contract/finance';
import type { FileFormat } from '@simcube/contract/task';
import { useQueryClient } from '@tanstack/react-query';
import { call, download, endpointQuery } from '../../lib/api-client/index.ts';
import { openFileTab, saveFile } from '../../lib/download/index.ts';
import { useAnswer, useMore } from '../../ui/answer/index.ts';
import { usePageOf } from '../../ui/list-screen/index.ts';
import { type BillSimsSearch, type BillsSearch, billsSearch } from './search.ts';

const { finance } = endpoints;

/** One page of the organisation's bills. */
export const useBills = (search: BillsSearch) => {
  const { versions, ...filter } = billsSearch.filterOf(search);
  return usePageOf(search, (page) =>
    endpointQuery(finance.list, { body: { ...filter, replaced: versions === 'all', ...page } }),
  );
};

/** Open amounts by currency, and the totals of months. */
export const useSettlement = () => useAnswer(endpointQuery(finance.settles));

/** The expected cost of the running month. */
export const useEstimate = () => useAnswer(endpointQuery(finance.estimate));

/** Where the same usage would have cost less. */
export const useOffers = () => useAnswer(endpointQuery(finance.offers));

const lookAgainMs = 2000;

/** A version of a bill, with the version it replaced; polled while it is being recomputed in the background. */
export const useBill = (billId: string) =>
  useAnswer({
    ...endpointQuery(finance.version, { query: { billId } }),
    refetchInterval: ({ state }) => (state.data?.data.checking ? lookAgainMs : false),
  });

const wholePage = { page_size: limits.page.maxByApi };

/** The lines of a bill; the first page has the API's default size. */
export const useBillLines = (billId: string) =>
  useMore<BillLine>({
    key: [finance.details.id, { query: { billId, pages: 'all' } }],
    ask: ({ cursor, signal }) =>
      call(finance.details, { query: { billId, ...wholePage, cursor }, signal, announce: false }),
  });

/** One line of a bill, wherever it is among them. */
export const useBillLine = (billId: string, line: number | undefined) =>
  useAnswer({
    ...endpointQuery(finance.details, { query: { billId, line } }),
    enabled: line !== undefined,
  });

/** The lines of the version that a bill replaced, unless there are too many to compare. */
export const useFormerLines = (billId: string | undefined) => {
  const { data } = useAnswer({
    ...endpointQuery(finance.details, { query: { billId: billId ?? '0', ...wholePage } }),
    enabled: billId !== undefined,
  });
  return data && (data.totalCount ?? 0) <= data.data.length ? data.data : undefined;
};

/** All versions of a bill, latest first. */
export const useVersions = (billId: string) =>
  useAnswer(endpointQuery(finance.versions, { query: { billId, ...wholePage } }));

/** Each SIM's part of a bill, or of one of its lines. */
export const useBillSims = (billId: string, { search, line, ...page }: BillSimsSearch) =>
  usePageOf(page, (asked) => endpointQuery(finance.listSims, { body: { billId, search, line, ...asked } }));

const simsInSight = 8;

/** The SIMs with the largest parts of a line. */
export const useLargestSims = (billId: string, line: number) =>
  useAnswer(
    endpointQuery(finance.listSims, { body: { billId, line, sort: '-amount', page_size: simsInSight } }),
  );

/** The records of a SIM's cycle, by day. */
export const useBilledCycle = (query: { billId: string; line: number; iccid: string; cycle: string }) =>
  useAnswer(endpointQuery(finance.cycle, { query }));

/** The shared pool's cycle that a line of a bill charges. */
export const usePoolCycle = (query: { billId: string; line: number }) =>
  useAnswer(endpointQuery(finance.poolCycle, { query }));

const membersAtOnce = 20;

/** Its SIMs, by usage, largest first. */
export const usePoolMembers = (of: { billId: string; line: number }) =>
  useMore({
    key: [finance.listPoolMembers.id, { body: { ...of, pages: 'all' } }],
    ask: ({ cursor, signal }) =>
      call(finance.listPoolMembers, {
        body: { ...of, page_size: membersAtOnce, cursor },
        signal,
        announce: false,
      }),
  });

/** Requests that a bill be recomputed; rejects with the server's error, which the API client has shown. */
export const useCheck = (billId: string): (() => Promise<void>) => {
  const client = useQueryClient();
  return async () => {
    await call(finance.check, { body: { billId } });
    await client.invalidateQueries({ queryKey: [finance.version.id] });
  };
};

/** A bill's lines, or each SIM's part of them, as a file. */
export const saveBill =
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
