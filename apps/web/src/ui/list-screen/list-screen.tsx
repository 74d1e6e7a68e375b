import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import type { ListParams } from '../../lib/search-params/list-search.ts';
import { Page } from '../page/index.ts';
import { AsOf } from '../time/index.ts';
import { ListPanel, type ListPanelProps } from './list-panel.tsx';
import { SkipToRows } from './skip-to-rows.tsx';
import type { List } from './use-list.ts';

type Counted = (values: { count: number; shown: string }) => string;

interface ListScreenProps<Row, S extends ListParams> extends ListPanelProps<Row, S> {
  title: string;
  /** The number of all rows in words, with their noun. */
  counted?: Counted | undefined;
  /** Shown instead of `ListFacts`. */
  facts?: ReactNode;
  /** The main action is last. */
  actions?: ReactNode;
}

/** A page that consists of a list. */
export const ListScreen = <Row, S extends ListParams>({
  title,
  counted,
  facts,
  actions,
  ...panel
}: ListScreenProps<Row, S>) => (
  <Page
    actions={actions}
    facts={facts ?? <ListFacts counted={counted} list={panel.list} />}
    fill
    skip={<SkipToRows />}
    title={title}
  >
    <ListPanel {...panel} pageHasSkipLink />
  </Page>
);

/** The number of rows and the time of the data. */
export const ListFacts = <Row, S extends ListParams>({
  list,
  counted = ({ shown }) => shown,
}: {
  list: List<Row, S>;
  counted?: Counted | undefined;
}) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  if (!list.count) return null;
  const { total, relation } = list.count;
  const shown = `${count(total)}${relation === 'gte' ? '+' : ''}`;
  return (
    <span>
      <span aria-live="polite">
        {list.filtered ? t('kit.list.matching', { count: total, shown }) : counted({ count: total, shown })}
      </span>
      {list.asOf === null ? null : (
        <>
          {' · '}
          <AsOf at={list.asOf} />
        </>
      )}
    </span>
  );
};
