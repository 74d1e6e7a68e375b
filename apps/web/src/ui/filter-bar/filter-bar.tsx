import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tabStopsIn, useKeptFocus } from '../focus/index.ts';
import { Menu } from '../menu/index.ts';
import { type Filter, isSet } from './filter.ts';
import styles from './filter-bar.module.css';
import { FilterChip } from './filter-chip.tsx';
import { QuickSearch, type QuickSearchProps } from './quick-search.tsx';

export interface FilterBarProps {
  /** Quick search, where the list has one. */
  search: Omit<QuickSearchProps, 'onEdit'> | undefined;
  filters: readonly Filter[];
  /** Takes all filters and the search off at once. */
  onClear: () => void;
  /** One filter was opened, or the search entered; or it was left. */
  onEdit: (editing: boolean) => void;
  /** Other ways to search, beside the filters' menu. */
  more?: ReactNode;
  /** The list's own tools, at the right end. */
  tools?: ReactNode;
}

/** Quick search, the filters in use as chips, the others in a menu. Their values live in the URL. */
export const FilterBar = ({ search, filters, onClear, onEdit, more, tools }: FilterBarProps) => {
  const { t } = useTranslation();
  const [editing, setEditing] = useState<string | undefined>();
  const edit = (id: string | undefined): void => {
    setEditing(id);
    onEdit(id !== undefined);
  };
  const shown = filters.filter((filter) => isSet(filter) || filter.id === editing);
  const bar = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  // A chip that goes takes the focus with it: what is added next begins where it began.
  const kept = useKeptFocus(() => add.current ?? (bar.current ? tabStopsIn(bar.current)[0] : undefined));
  const rest = filters.filter((filter) => !shown.includes(filter) && filter.quiet !== true);
  return (
    <div className={styles['bar']} ref={bar} {...kept}>
      <div className={styles['filters']}>
        {search ? <QuickSearch {...search} onEdit={onEdit} /> : null}
        {shown.map((filter) => (
          <FilterChip
            filter={filter}
            key={filter.id}
            onOpen={(open) => edit(open ? filter.id : undefined)}
            open={filter.id === editing}
          />
        ))}
        {rest.length > 0 ? (
          <Menu
            items={rest.map(({ id, label }) => ({ key: id, label, onClick: () => edit(id) }))}
            placement="bottomLeft"
          >
            <button className={styles['add']} ref={add} type="button">
              {t('kit.filter.add')}
            </button>
          </Menu>
        ) : null}
        {more}
        {filters.some(isSet) ? (
          <button className={styles['clear']} onClick={onClear} type="button">
            {t('kit.filter.clear')}
          </button>
        ) : null}
      </div>
      {tools ? <div className={styles['tools']}>{tools}</div> : null}
    </div>
  );
};

/** A button of the bar's own kind, for `more`. */
export const FilterBarButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button aria-haspopup="dialog" className={styles['more']} onClick={onClick} type="button">
    {children}
  </button>
);
