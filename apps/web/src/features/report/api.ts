import { endpoints, limits } from '@simcube/contract';
import type { Report, ReportKind, ReportPreferencesBody } from '@simcube/contract/report';
import type { FileFormat } from '@simcube/contract/task';
import { useQueryClient } from '@tanstack/react-query';
import { call, download, endpointQuery } from '../../lib/api-client/index.ts';
import { saveFile } from '../../lib/download/index.ts';
import { session } from '../../lib/session/index.ts';
import { useApiQuery } from '../../ui/query/index.ts';

const { report } = endpoints;

const organisationParams = () => ({ params: { orgCode: session.currentMembership()?.code ?? '' } });

/** All stored reports, without their rows: two years of every kind fit into a page. */
export const useReports = () =>
  useApiQuery(
    endpointQuery(report.list, { ...organisationParams(), body: { page_size: limits.page.maxByApi } }),
  );

/** The reports of a month with their first rows. */
export const useMonthReports = (month: string) =>
  useApiQuery(endpointQuery(report.list, { ...organisationParams(), body: { month, preview: true } }));

const preferencesQuery = endpointQuery(report.preferences, { body: {} });
export const usePreferences = () => useApiQuery(preferencesQuery);

/** Address groups that can be notified, for people who may see them. */
export const useAddressGroups = () =>
  useApiQuery({
    ...endpointQuery(endpoints.notify.listGroups, {
      query: { page_size: limits.addressGroups.perOrganisation },
    }),
    enabled: session.can('account'),
  });

/** Stores preferences; rejects with the server's error, which the API client has shown. */
export const useSavePreferences = (): ((body: ReportPreferencesBody) => Promise<void>) => {
  const client = useQueryClient();
  return async (body) => {
    const response = await call(report.setPreferences, { body });
    await client.cancelQueries({ queryKey: preferencesQuery.queryKey });
    client.setQueryData(preferencesQuery.queryKey, response);
  };
};

export const saveReport = async ({ month, kind }: Report, format: FileFormat): Promise<void> =>
  saveFile(await download(report.download, { params: { month, kind }, query: { format } }));

/** Several reports as a ZIP archive. */
export const saveReports = async (months: string[], kinds?: ReportKind[]): Promise<void> =>
  saveFile(await download(report.downloadSeveral, { body: { months, ...(kinds ? { kinds } : {}) } }));
