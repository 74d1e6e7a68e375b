import { type ReactNode, type RefObject, useContext, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tabStopsIn, useKeptFocus } from '../focus/index.ts';
import { narrow, useMedia } from '../media/index.ts';
import { Menu } from '../menu/index.ts';
import { type Filter, filterText, isSet } from './filter.ts';
import styles from './filter-bar.module.css';
import { FilterChip } from './filter-chip.tsx';
import { CloseContext, MoreFilters } from './more-filters.tsx';
import { QuickSearch, type QuickSearchProps } from './quick-search.tsx';
import { useFitting } from './use-fitting.ts';

export interface FilterBarProps {
  /** Quick search, where the list has one. */
  search: Omit<QuickSearchProps, 'onEdit'> | undefined;
  filters: readonly Filter[];
  /** Takes all filters and the search off at once. */
  onClear: () => void;
  /** One filter was opened, or the search entered; or it was left. */
  onEdit: (editing: boolean) => void;
  /** What narrows the list otherwise, beside the filters: which of several lists it is. */
  more?: ReactNode;
  /** Other ways to search, `FilterBarButton`s, beside the filters' menu. */
  searches?: ReactNode;
  /** The list's own tools, at the right end. */
  tools?: ReactNode;
}

/**
 * Quick search, the filters in use as chips, the others in a menu. Their values live in the URL. Where there is little
 * room they take one row, and what does not fit is behind a button.
 */
export const FilterBar = ({ search, filters, onClear, onEdit, more, searches, tools }: FilterBarProps) => {
  const { t } = useTranslation();
  const oneRow = useMedia(narrow);
  const [editing, setEditing] = useState<string | undefined>();
  const edit = (id: string | undefined): void => {
    setEditing(id);
    onEdit(id !== undefined);
  };
  const shown = filters.filter((filter) => isSet(filter) || filter.stays || filter.id === editing);
  const bar = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  // A chip that goes takes the focus with it: what is added next begins where it began.
  const kept = useKeptFocus(() => add.current ?? (bar.current ? tabStopsIn(bar.current)[0] : undefined));
  const offered = filters.filter((filter) => !shown.includes(filter) && filter.quiet !== true);
  const parts = {
    shown,
    add,
    offered,
    more,
    searches,
    editing,
    onOpen: edit,
    clear: filters.some(isSet) ? (
      <button className={styles['clear']} onClick={onClear} type="button">
        {t('kit.filter.clear')}
      </button>
    ) : null,
  };
  return (
    <div className={styles['bar']} data-one-row={oneRow ? 'true' : undefined} ref={bar} {...kept}>
      <div className={styles['filters']}>
        {search ? <QuickSearch {...search} onEdit={onEdit} /> : null}
        {oneRow ? <InOneRow {...parts} /> : <InLines {...parts} />}
      </div>
      {tools ? <div className={styles['tools']}>{tools}</div> : null}
    </div>
  );
};

interface Parts {
  /** In use, or just being added. */
  shown: readonly Filter[];
  offered: readonly Filter[];
  more: ReactNode;
  searches: ReactNode;
  clear: ReactNode;
  /** The open one. */
  editing: string | undefined;
  onOpen: (id: string | undefined) => void;
  /** The button by which others are added. */
  add: RefObject<HTMLButtonElement | null>;
}

const InLines = ({ shown, offered, more, searches, clear, editing, onOpen, add }: Parts) => {
  const { t } = useTranslation();
  return (
    <>
      {shown.map((filter) => (
        <FilterChip
          filter={filter}
          key={filter.id}
          onOpen={(open) => onOpen(open ? filter.id : undefined)}
          open={filter.id === editing}
        />
      ))}
      {offered.length > 0 ? (
        <Menu
          items={offered.map(({ id, label }) => ({ key: id, label, onClick: () => onOpen(id) }))}
          placement="bottomLeft"
        >
          <button className={styles['add']} ref={add} type="button">
            {t('kit.filter.add')}
          </button>
        </Menu>
      ) : null}
      {searches}
      {more}
      {clear}
    </>
  );
};

const InOneRow = ({ shown, offered, more, searches, clear, editing, onOpen, add }: Parts) => {
  /** Opened from behind the button: it comes first, where it is in sight. */
  const [first, setFirst] = useState<string | undefined>();
  const chips = [...shown].sort((one, other) => Number(other.id === first) - Number(one.id === first));
  const { row, fitting } = useFitting(chips.map((chip) => `${chip.label} ${filterText(chip)}`).join('\n'));
  const hidden = chips.slice(fitting);
  return (
    <>
      {more}
      {chips.length > 0 ? (
        <div className={styles['row']} ref={row}>
          {chips.map((filter, index) => (
            <FilterChip
              filter={filter}
              hidden={index >= fitting}
              key={filter.id}
              onOpen={(open) => onOpen(open ? filter.id : undefined)}
              open={filter.id === editing}
            />
          ))}
        </div>
      ) : null}
      {hidden.length > 0 || offered.length > 0 || searches ? (
        <MoreFilters
          button={add}
          clear={clear}
          hidden={hidden}
          isFirst={chips.length === 0 && !searches}
          searches={searches}
          offered={offered}
          onEdit={(filter) => {
            setFirst(filter.id);
            if (filter.kind === 'press') filter.onPress();
            else onOpen(filter.id);
          }}
        />
      ) : (
        clear
      )}
    </>
  );
};

/** A button of the bar's own kind, for `searches`. */
export const FilterBarButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => {
  const close = useContext(CloseContext);
  return (
    <button
      aria-haspopup="dialog"
      className={styles['more']}
      onClick={() => {
        close();
        onClick();
      }}
      type="button"
    >
      {children}
    </button>
  );
};
