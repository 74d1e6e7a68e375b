import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListParams } from '../../lib/search-params/list-search.ts';
import { Page } from '../page/index.ts';
import { type Counted, CountFacts } from './count-facts.tsx';
import { ListPanel, type ListPanelProps } from './list-panel.tsx';
import { SkipToRows } from './skip-to-rows.tsx';
import type { List } from './use-list.ts';

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
  if (!list.count) return null;
  return (
    <CountFacts
      {...list.count}
      asOf={list.asOf}
      counted={list.filtered ? (values) => t('kit.list.matching', values) : counted}
    />
  );
};
