import { CloseOutlined } from '@ant-design/icons';
import { createContext, type ReactNode, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Popover } from '../popover/index.ts';
import { clearFilter, type Filter, filterText } from './filter.ts';
import styles from './filter-bar.module.css';

interface MoreFiltersProps {
  /** Its button's element. */
  button: RefObject<HTMLButtonElement | null>;
  /** No other filter is active, and there is no other way to search. */
  isFirst: boolean;
  /** Active filters that do not fit into the bar. */
  hidden: readonly Filter[];
  /** Filters that can be added. */
  available: readonly Filter[];
  /** Other ways to search. */
  searches: ReactNode;
  clear: ReactNode;
  /** Opens a filter in the bar. */
  onEdit: (filter: Filter) => void;
}

/** Closes the popover that contains a button of the bar. */
export const CloseContext = createContext<() => void>(() => undefined);

/** All parts of the filter bar that do not fit into one row. */
export const MoreFilters = ({
  button,
  isFirst,
  hidden,
  available,
  searches,
  clear,
  onEdit,
}: MoreFiltersProps) => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const edit = (filter: Filter): void => {
    setOpen(false);
    onEdit(filter);
  };
  const label = isFirst ? 'kit.filter.add' : 'kit.filter.more';
  const content = (
    <CloseContext value={() => setOpen(false)}>
      <div className={styles['rest']}>
        {hidden.map((filter) => (
          <span className={styles['restLine']} key={filter.id}>
            <button className={styles['chipMain']} onClick={() => edit(filter)} type="button">
              {filter.label} <b>{filterText(filter)}</b>
            </button>
            {filter.permanent ? null : (
              <button
                aria-label={t('kit.filter.remove', { filter: filter.label })}
                className={styles['chipRemove']}
                onClick={() => clearFilter(filter)}
                type="button"
              >
                <CloseOutlined aria-hidden="true" />
              </button>
            )}
          </span>
        ))}
        {available.map((filter) => (
          <button className={styles['offer']} key={filter.id} onClick={() => edit(filter)} type="button">
            {filter.label}
          </button>
        ))}
        {searches ? <div className={styles['restMore']}>{searches}</div> : null}
        {clear}
      </div>
    </CloseContext>
  );
  return (
    <Popover content={content} label={t(label)} onOpen={setOpen} open={open} placement="bottomLeft">
      <button className={styles['add']} ref={button} type="button">
        {t(label)}
        {hidden.length > 0 ? <b className={styles['hiddenCount']}>{hidden.length}</b> : null}
      </button>
    </Popover>
  );
};
