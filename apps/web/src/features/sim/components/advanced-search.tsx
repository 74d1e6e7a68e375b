import { CloseOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Drawer } from '../../../ui/drawer/index.ts';
import { type Filter, FilterEditor, isSet } from '../../../ui/filter-bar/index.ts';
import { type SimSearch, simSearch } from '../search.ts';
import styles from './advanced-search.module.css';
import type { FilterSuggestions } from './filters/filter-context.ts';
import { useSimFilters } from './filters/use-sim-filters.ts';

interface AdvancedSearchProps {
  open: boolean;
  search: SimSearch;
  suggestions: FilterSuggestions;
  onApply: (search: SimSearch) => void;
  onClose: () => void;
}

/** All fields that the list can be searched by, in groups; the search starts when the form is submitted. */
export const AdvancedSearch = ({ open, onClose, ...form }: AdvancedSearchProps) => {
  const { t } = useTranslation();
  return (
    <Drawer onClose={onClose} open={open} title={t('simList.advanced.title')} width={560}>
      <AdvancedForm {...form} onClose={onClose} />
    </Drawer>
  );
};

const AdvancedForm = ({ search, suggestions, onApply, onClose }: Omit<AdvancedSearchProps, 'open'>) => {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(search);
  /** Clearing also discards what was typed but is invalid. */
  const [timesCleared, setTimesCleared] = useState(0);
  const onFilter = (filter: Partial<SimSearch>): void => setDraft((before) => ({ ...before, ...filter }));
  const groups = useSimFilters({ of: simSearch, search: draft, onFilter }, suggestions);
  const filterCount = groups.flatMap(({ filters }) => filters.filter(isSet)).length;
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const invalid = event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]');
        // Without the invalid field, the search would find more than was meant.
        if (invalid) return invalid.focus();
        onApply(draft);
        onClose();
      }}
    >
      {groups.map(({ name, filters }) => (
        <fieldset className={styles['group']} key={`${name} ${timesCleared}`}>
          <legend className={styles['heading']}>{t(`simList.groups.${name}`)}</legend>
          <div className={styles['fields']}>
            {filters.map((filter) => (
              <Field filter={filter} key={filter.id} />
            ))}
          </div>
        </fieldset>
      ))}
      <footer className={styles['footer']}>
        <Button
          onClick={() => {
            setDraft({ ...simSearch.withoutFilters(draft), search: draft.search, list: draft.list });
            setTimesCleared(timesCleared + 1);
          }}
          type="text"
        >
          {t('kit.filter.clear')}
        </Button>
        <Button onClick={onClose}>{t('common.actions.cancel')}</Button>
        <Button htmlType="submit" type="primary">
          {filterCount === 0
            ? t('simList.advanced.applyNone')
            : t('simList.advanced.apply', { count: filterCount })}
        </Button>
      </footer>
    </form>
  );
};

const Field = ({ filter }: { filter: Filter }) => {
  const { t } = useTranslation();
  return (
    <div className={styles['field']}>
      <div className={styles['label']}>
        <span>{filter.label}</span>
        {isSet(filter) ? (
          <button
            aria-label={t('kit.filter.remove', { filter: filter.label })}
            className={styles['unset']}
            onClick={() => filter.onChange(undefined)}
            type="button"
          >
            <CloseOutlined aria-hidden="true" />
          </button>
        ) : null}
      </div>
      <FilterEditor filter={filter} inForm onDone={() => undefined} />
    </div>
  );
};
