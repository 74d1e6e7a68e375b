import { endpoints } from '@simcube/contract';
import { bundleChangeTimes } from '@simcube/contract/bundle';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { DialogField } from '../../../ui/dialog/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { Select, useServerSearch } from '../../../ui/select/index.ts';
import type { OperationValues } from './operation.ts';
import styles from './operations.module.css';

interface BundleFieldsProps {
  name: 'topUp' | 'changeBundle';
  values: OperationValues;
  disabled: boolean;
  onChange: (values: OperationValues) => void;
}

/** Which bundle to order, and when it replaces the current one. */
export const BundleFields = ({ name, values, disabled, onChange }: BundleFieldsProps) => {
  const { t } = useTranslation();
  const id = useId();
  const { search, showSearch } = useServerSearch(60);
  const kind = name === 'topUp' ? 'supplementary' : 'basic';
  const query = { kind, page_size: 100, ...(search ? { search } : {}) } as const;
  const { data, isFetching } = useQuery(endpointQuery(endpoints.bundle.listOffered, { query }));
  const options = (data?.data ?? []).map((bundle) => ({
    value: bundle.code,
    label: t('kit.marks.aside', { text: bundle.name, note: bundle.code }),
  }));
  return (
    <>
      <DialogField htmlFor={id} label={t('operations.fields.bundle')}>
        <Select<string>
          autoFocus
          disabled={disabled}
          getPopupContainer={(field: HTMLElement) => field.parentElement ?? document.body}
          id={id}
          loading={isFetching}
          notFoundContent={isFetching ? null : t('operations.noBundles')}
          onChange={(code) => onChange({ ...values, bundle_code: code })}
          options={options}
          placeholder={t('operations.fields.bundleHint')}
          showSearch={showSearch}
          value={values.bundle_code ?? null}
        />
        {values.bundle_code === undefined ? (
          <span className={styles['hint']}>{t('operations.bundleFirst')}</span>
        ) : null}
      </DialogField>
      {values.when ? (
        <DialogField label={t('operations.fields.when')}>
          <Segmented
            label={t('operations.fields.when')}
            onChange={(when) => onChange({ ...values, when })}
            options={bundleChangeTimes.map((when) => ({
              value: when,
              label: t(`operations.when.${when}`),
              disabled,
            }))}
            value={values.when}
          />
        </DialogField>
      ) : null}
    </>
  );
};
