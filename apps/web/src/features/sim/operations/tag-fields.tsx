import { endpoints, limits } from '@simcube/contract';
import { tagSchema } from '@simcube/contract/sim';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { Select } from '../../../ui/select/index.ts';
import type { OperationValues } from './operation.ts';
import styles from './operations.module.css';

interface TagFieldsProps {
  values: OperationValues;
  /** Tags of the one SIM; undefined when there are many. */
  known: readonly string[] | undefined;
  disabled: boolean;
  onChange: (values: OperationValues) => void;
}

/** Up to 5 tags to add and 5 to remove (specification, section 5). */
export const TagFields = ({ values, known, disabled, onChange }: TagFieldsProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const [tooLong, setTooLong] = useState<string | undefined>();
  const { data } = useQuery(endpointQuery(endpoints.sim.listTags, { body: {} }));
  const inUse = data?.data ?? [];
  const offered = inUse.map(({ tag, sims }) => ({ value: tag, label: tag, count: format.count(sims) }));
  const removable = known ? known.map((tag) => ({ value: tag, label: tag, count: '' })) : offered;
  const add = values.add ?? [];
  const remove = values.remove ?? [];

  const change = (part: 'add' | 'remove', tags: string[]): void => {
    const fitting = tags.map((tag) => tag.trim()).filter((tag) => tagSchema.safeParse(tag).success);
    setTooLong(tags.find((tag) => tag.trim().length > limits.tags.length));
    const other = part === 'add' ? 'remove' : 'add';
    onChange({
      ...values,
      [part]: [...new Set(fitting)].slice(0, limits.tags.atOnce),
      // To add and remove the same tag would mean nothing.
      [other]: (values[other] ?? []).filter((tag) => !fitting.includes(tag)),
    });
  };
  const shared = {
    disabled,
    // Inside the dialog, where those who listen are.
    getPopupContainer: (field: HTMLElement) => field.parentElement ?? document.body,
    maxCount: limits.tags.atOnce,
    optionRender: ({ data: { label, count } }: { data: { label: string; count: string } }) => (
      <span className={styles['tagOption']}>
        {label} <span>{count}</span>
      </span>
    ),
  };
  return (
    <>
      <div className={styles['field']}>
        <label className={styles['label']} htmlFor={`${id}-add`}>
          {t('operations.fields.addTags')}
        </label>
        <Select<string[], { value: string; label: string; count: string }>
          {...shared}
          autoFocus
          id={`${id}-add`}
          mode="tags"
          onChange={(tags) => change('add', tags)}
          options={offered.filter(({ value }) => !known?.includes(value))}
          tokenSeparators={[',']}
          value={add}
        />
        <span className={tooLong ? styles['wrong'] : styles['hint']} role={tooLong ? 'alert' : undefined}>
          {tooLong
            ? t('operations.tagTooLong', { tag: tooLong, max: limits.tags.length })
            : t('operations.tagsHint', {
                atOnce: limits.tags.atOnce,
                length: limits.tags.length,
                perSim: limits.tags.perSim,
              })}
        </span>
      </div>
      <div className={styles['field']}>
        <label className={styles['label']} htmlFor={`${id}-remove`}>
          {t('operations.fields.removeTags')}
        </label>
        <Select<string[], { value: string; label: string; count: string }>
          {...shared}
          id={`${id}-remove`}
          mode="multiple"
          notFoundContent={t('operations.noTags')}
          onChange={(tags) => change('remove', tags)}
          options={removable}
          value={remove}
        />
      </div>
    </>
  );
};
