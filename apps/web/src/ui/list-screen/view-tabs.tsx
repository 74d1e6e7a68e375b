import { TeamOutlined } from '@ant-design/icons';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListParams } from '../../lib/search-params/list-search.ts';
import { Failure } from '../failure/index.ts';
import type { ListView, ListViews } from './list-views.ts';
import type { List } from './use-list.ts';
import { useViewActions } from './use-view-actions.tsx';
import styles from './view-tabs.module.css';
import { ViewTools } from './view-tools.tsx';

interface ViewTabsProps<Row, S extends ListParams> {
  list: List<Row, S>;
  views: ListViews<S>;
  /** The list itself: the content of the open tab. */
  children: ReactNode;
}

/**
 * Saved views of a list as tabs above it. Filter changes within a view stay local until they are saved. One tab stop; arrows move
 * between the tabs and Enter opens one (ARIA practices: manual activation).
 */
export const ViewTabs = <Row, S extends ListParams>({ list, views, children }: ViewTabsProps<Row, S>) => {
  const { t } = useTranslation();
  const id = useId();
  const strip = useRef<HTMLDivElement>(null);
  const shown = views.views?.find((view) => view.id === list.search.view);
  const changed = shown ? shown.outdated || !shown.isShownBy(list.search) : list.filtered;
  const actions = useViewActions({
    list,
    views,
    shown,
    onRemoved: () => strip.current?.querySelector('button')?.focus(),
  });
  const key = shown?.id ?? 'all';
  return (
    <>
      <div className={styles['bar']}>
        <div
          aria-label={t('kit.views.label')}
          className={styles['tabs']}
          onKeyDown={moveFocus}
          ref={strip}
          role="tablist"
        >
          <Tab
            changed={false}
            id={`${id}-all`}
            onOpen={list.onAll}
            panel={`${id}-panel`}
            selected={shown === undefined}
          >
            {views.all}
          </Tab>
          {views.views?.map((view) => (
            <Tab
              changed={view === shown && changed}
              id={`${id}-${view.id}`}
              key={view.id}
              onOpen={() => list.onView(view.open())}
              panel={`${id}-panel`}
              selected={view === shown}
            >
              <span className={styles['name']}>{view.name}</span>
              {view.shared ? <SharedMark view={view} /> : null}
            </Tab>
          ))}
        </div>
        {views.error && !views.views ? (
          <Failure error={views.error} onRetry={() => void views.refetch()} small />
        ) : (
          <ViewTools
            actions={actions}
            changed={changed}
            savable={views.isSavable(list.search)}
            view={shown}
          />
        )}
      </div>
      {shown?.outdated ? (
        <p className={styles['outdated']} role="status">
          {t('kit.views.outdated')}
        </p>
      ) : null}
      <div aria-labelledby={`${id}-${key}`} className={styles['panel']} id={`${id}-panel`} role="tabpanel">
        {children}
      </div>
      {actions.dialog}
    </>
  );
};

interface TabProps {
  id: string;
  panel: string;
  selected: boolean;
  changed: boolean;
  onOpen: () => void;
  children: ReactNode;
}

const Tab = ({ id, panel, selected, changed, onOpen, children }: TabProps) => {
  const { t } = useTranslation();
  const element = useRef<HTMLButtonElement>(null);
  // The actions on a changed view take space from the tabs.
  const shown = selected && (changed ? 'changed' : 'saved');
  useEffect(() => {
    if (!shown) return;
    // In an animation frame, when the page is laid out anyway: scrolling immediately would force an additional layout.
    const frame = requestAnimationFrame(() =>
      element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
    return () => cancelAnimationFrame(frame);
  }, [shown]);
  return (
    <button
      aria-controls={panel}
      aria-selected={selected}
      className={styles['tab']}
      id={id}
      onClick={onOpen}
      ref={element}
      role="tab"
      tabIndex={selected ? 0 : -1}
      type="button"
    >
      {children}
      {changed ? <TabMark className={styles['changed']} words={t('kit.views.changed')} /> : null}
    </button>
  );
};

const SharedMark = <S,>({ view: { own, owner } }: { view: ListView<S> }) => {
  const { t } = useTranslation();
  const words =
    owner === null
      ? t('kit.views.organisations')
      : t(own ? 'kit.views.sharedByYou' : 'kit.views.sharedBy', { owner });
  return (
    <TabMark className={styles['shared']} words={words}>
      <TeamOutlined aria-hidden="true" />
    </TabMark>
  );
};

const TabMark = ({
  words,
  ...mark
}: {
  words: string;
  className: string | undefined;
  children?: ReactNode;
}) => (
  <>
    {' '}
    <span aria-label={words} role="img" title={words} {...mark} />
  </>
);

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

const moveFocus = (event: KeyboardEvent<HTMLDivElement>): void => {
  const step = steps[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const at = tabs.indexOf(event.target as HTMLElement);
  const tab = tabs[step(at, tabs.length - 1)];
  if (!tab) return;
  event.preventDefault();
  tab.focus();
  tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
};
