import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../lib/api-client/index.ts';
import type { Asked } from '../answer/index.ts';
import { Empty } from '../empty/index.ts';
import { Failure } from '../failure/index.ts';
import { Loading } from '../loading/index.ts';
import { useOpenRow } from './use-open-row.ts';

interface Named<Row> {
  /** Of the page on screen; undefined until it is known. */
  rows: readonly Row[] | undefined;
  /** The row that the address names, if it names one. */
  named: string | undefined;
  keyOf: (row: Row) => string;
}

/** The named row, when the page on screen does not have it: it is on another page, or left out by a filter. It is asked for alone. */
export const elsewhere = <Row,>({ rows, named, keyOf }: Named<Row>): string | undefined =>
  rows === undefined || rows.some((row) => keyOf(row) === named) ? undefined : named;

interface LinkedRow<Row> {
  row: Row | undefined;
  /** In place of the row that is named: it is on its way, can't be read, or there is none. */
  instead: ReactNode;
}

/**
 * The row that the address names, wherever it is in the list, as it was seen last.
 *
 * @param alone the answer to what is asked for because it is `elsewhere`
 */
export const useLinkedRow = <Row,>(
  { rows, named, keyOf }: Named<Row>,
  alone: Pick<Asked<Row[]>, 'data' | 'error' | 'refetch'>,
): LinkedRow<Row> => {
  const { t } = useTranslation();
  const isElsewhere = elsewhere({ rows, named, keyOf }) !== undefined;
  const row = useOpenRow(isElsewhere ? alone.data?.data : rows, named, keyOf);
  const { data, error, refetch } = alone;
  const insteadOf = (): ReactNode => {
    if (data || (error instanceof ApiFailure && error.http === 404))
      return <Empty hint={t('kit.linked.missingHint')} title={t('kit.linked.missing')} />;
    if (error) return <Failure error={error} onRetry={() => void refetch()} />;
    return <Loading rows={6} />;
  };
  return { row, instead: isElsewhere && !row ? insteadOf() : null };
};
