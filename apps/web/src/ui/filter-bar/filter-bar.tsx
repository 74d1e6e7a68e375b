import { type ReactNode, type RefObject, useContext, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tabStopsIn, useFocusHandover } from '../focus/index.ts';
import { narrow, useMedia } from '../media/index.ts';
import { Menu } from '../menu/index.ts';
import { type Filter, filterText, isSet } from './filter.ts';
import styles from './filter-bar.module.css';
import { FilterChip } from './filter-chip.tsx';
import { CloseContext, MoreFilters } from './more-filters.tsx';
import { QuickSearch, type QuickSearchProps } from './quick-search.tsx';
import { useFitting } from './use-fitting.ts';

export interface FilterBarProps {
  /** Quick search, if the list has one. */
  search: Omit<QuickSearchProps, 'onEdit'> | undefined;
  filters: readonly Filter[];
  /** Removes all filters and the search. */
  onClear: () => void;
  /** Called when a filter is opened or the search is focused, and when it is left. */
  onEdit: (editing: boolean) => void;
  /** Controls other than filters that narrow the list: which of several lists is shown. */
  more?: ReactNode;
  /** Other ways to search, as `FilterBarButton`s next to the filters' menu. */
  searches?: ReactNode;
  /** The list's own tools, at the right end. */
  tools?: ReactNode;
}

/**
 * Quick search, active filters as chips, and a menu with the others. Their values are in the URL. If there is little room, they
 * take one row, and what does not fit is behind a button.
 */
export const FilterBar = ({ search, filters, onClear, onEdit, more, searches, tools }: FilterBarProps) => {
  const { t } = useTranslation();
  const oneRow = useMedia(narrow);
  const [editing, setEditing] = useState<string | undefined>();
  const edit = (id: string | undefined): void => {
    setEditing(id);
    onEdit(id !== undefined);
  };
  const active = filters.filter((filter) => isSet(filter) || filter.permanent || filter.id === editing);
  const bar = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  // Removing a focused chip moves the focus to the button that adds filters, or to the start of the bar.
  const handover = useFocusHandover(
    () => add.current ?? (bar.current ? tabStopsIn(bar.current)[0] : undefined),
  );
  const available = filters.filter((filter) => !active.includes(filter) && filter.advanced !== true);
  const parts = {
    active,
    add,
    available,
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
    <div className={styles['bar']} data-one-row={oneRow ? 'true' : undefined} ref={bar} {...handover}>
      <div className={styles['filters']}>
        {search ? <QuickSearch {...search} onEdit={onEdit} /> : null}
        {oneRow ? <InOneRow {...parts} /> : <InLines {...parts} />}
      </div>
      {tools ? <div className={styles['tools']}>{tools}</div> : null}
    </div>
  );
};

interface Parts {
  /** Active, or just being added. */
  active: readonly Filter[];
  available: readonly Filter[];
  more: ReactNode;
  searches: ReactNode;
  clear: ReactNode;
  /** Id of the open one. */
  editing: string | undefined;
  onOpen: (id: string | undefined) => void;
  /** The button that adds filters. */
  add: RefObject<HTMLButtonElement | null>;
}

const InLines = ({ active, available, more, searches, clear, editing, onOpen, add }: Parts) => {
  const { t } = useTranslation();
  return (
    <>
      {active.map((filter) => (
        <FilterChip
          filter={filter}
          key={filter.id}
          onOpen={(open) => onOpen(open ? filter.id : undefined)}
          open={filter.id === editing}
        />
      ))}
      {available.length > 0 ? (
        <Menu
          items={available.map(({ id, label }) => ({ key: id, label, onClick: () => onOpen(id) }))}
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

const InOneRow = ({ active, available, more, searches, clear, editing, onOpen, add }: Parts) => {
  /** Opened from behind the button: moved to the front, where it is visible. */
  const [first, setFirst] = useState<string | undefined>();
  const chips = [...active].sort((one, other) => Number(other.id === first) - Number(one.id === first));
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
      {hidden.length > 0 || available.length > 0 || searches ? (
        <MoreFilters
          button={add}
          clear={clear}
          hidden={hidden}
          isFirst={chips.length === 0 && !searches}
          searches={searches}
          available={available}
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

/** A button in the bar's style, for `searches`. */
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
