import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../lib/api-client/index.ts';
import { Empty } from '../empty/index.ts';
import { Failure } from '../failure/index.ts';
import { Loading } from '../loading/index.ts';
import type { ApiQuery } from '../query/index.ts';
import { useOpenRow } from './use-open-row.ts';

interface RowLink<Row> {
  /** Rows of the current page; undefined until they are known. */
  rows: readonly Row[] | undefined;
  /** Key of the row in the URL, if any. */
  linkedKey: string | undefined;
  keyOf: (row: Row) => string;
}

/**
 * The key in the URL if the current page does not contain that row (it is on another page, or excluded by a filter): the row is
 * then requested separately.
 */
export const keyNotOnPage = <Row,>({ rows, linkedKey, keyOf }: RowLink<Row>): string | undefined =>
  rows === undefined || rows.some((row) => keyOf(row) === linkedKey) ? undefined : linkedKey;

interface LinkedRow<Row> {
  row: Row | undefined;
  /** Shown instead of the row: it is loading, can't be read, or does not exist. */
  fallback: ReactNode;
}

/**
 * The row in the URL, wherever it is in the list, in its last known state.
 *
 * @param rowQuery the response to the separate request for a row that is not on the page (`keyNotOnPage`)
 */
export const useLinkedRow = <Row,>(
  { rows, linkedKey, keyOf }: RowLink<Row>,
  rowQuery: Pick<ApiQuery<Row[]>, 'data' | 'error' | 'refetch'>,
): LinkedRow<Row> => {
  const { t } = useTranslation();
  const isNotOnPage = keyNotOnPage({ rows, linkedKey, keyOf }) !== undefined;
  const row = useOpenRow(isNotOnPage ? rowQuery.data?.data : rows, linkedKey, keyOf);
  const { data, error, refetch } = rowQuery;
  const renderFallback = (): ReactNode => {
    if (data || (error instanceof ApiFailure && error.http === 404))
      return <Empty hint={t('kit.linked.missingHint')} title={t('kit.linked.missing')} />;
    if (error) return <Failure error={error} onRetry={() => void refetch()} />;
    return <Loading rows={6} />;
  };
  return { row, fallback: isNotOnPage && !row ? renderFallback() : null };
};
