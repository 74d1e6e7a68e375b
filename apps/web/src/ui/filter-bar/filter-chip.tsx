import { CloseOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Popover } from '../popover/index.ts';
import { clearFilter, type Filter, filterText } from './filter.ts';
import styles from './filter-bar.module.css';
import { FilterEditor } from './filter-editor.tsx';

interface ChipProps {
  filter: Filter;
  open: boolean;
  /** Does not fit; rendered only to measure its width. */
  hidden?: boolean;
  onOpen: (open: boolean) => void;
}

/** One active filter: click it to change it, or its cross to remove it. */
export const FilterChip = ({ filter, open, hidden = false, onOpen }: ChipProps) => {
  const { t } = useTranslation();
  const text = filterText(filter);
  return (
    <span className={styles['chip']} style={hidden ? { visibility: 'hidden' } : undefined}>
      {filter.kind === 'press' ? (
        <button aria-haspopup="dialog" className={styles['chipMain']} onClick={filter.onPress} type="button">
          <span>{filter.label}</span>
          {text ? <b>{text}</b> : null}
        </button>
      ) : (
        <Popover
          content={<FilterEditor filter={filter} onDone={() => onOpen(false)} />}
          label={filter.label}
          onOpen={onOpen}
          open={open}
          placement="bottomLeft"
        >
          <button className={styles['chipMain']} type="button">
            <span>{filter.label}</span>
            {text ? <b>{text}</b> : null}
          </button>
        </Popover>
      )}
      {filter.permanent ? null : (
        <button
          aria-label={t('kit.filter.remove', { filter: filter.label })}
          className={styles['chipRemove']}
          onClick={() => {
            clearFilter(filter);
            onOpen(false);
          }}
          type="button"
        >
          <CloseOutlined aria-hidden="true" />
        </button>
      )}
    </span>
  );
};
