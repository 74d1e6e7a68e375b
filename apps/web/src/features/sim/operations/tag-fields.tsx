import { endpoints, limits } from '@simcube/contract';
import { newTagSchema } from '@simcube/contract/sim';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { DialogField } from '../../../ui/dialog/index.ts';
import { TextList, useListProblem } from '../../../ui/form/index.ts';
import { Select, useServerSearch } from '../../../ui/select/index.ts';
import { addedTagsSchema, type OperationValues } from './operation.ts';
import styles from './operations.module.css';

interface TagFieldsProps {
  values: OperationValues;
  /** Tags of a single SIM; undefined for several. */
  currentTags: readonly string[] | undefined;
  disabled: boolean;
  onChange: (values: OperationValues) => void;
}

/** Up to 5 tags to add and 5 to remove (specification, section 5). */
export const TagFields = ({ values, currentTags, disabled, onChange }: TagFieldsProps) => {
  const { t } = useTranslation();
  const id = useId();
  const problem = useListProblem(addedTagsSchema, values.add ?? []);
  const tagOptions = useTagOptions('');
  // The server lists the most used tags, and searches all of them.
  const { search, showSearch } = useServerSearch(limits.tags.length);
  const foundOptions = useTagOptions(search);
  const removable = currentTags
    ? { options: currentTags.map((tag) => ({ value: tag, label: tag, count: '' })) }
    : { options: foundOptions, showSearch };
  const add = values.add ?? [];
  const remove = values.remove ?? [];

  const change = (part: 'add' | 'remove', tags: string[]): void => {
    const other = part === 'add' ? 'remove' : 'add';
    onChange({
      ...values,
      [part]: tags,
      // Adding and removing the same tag would have no meaning.
      [other]: (values[other] ?? []).filter((tag) => !tags.includes(tag)),
    });
  };
  const shared = {
    disabled,
    // Inside the dialog, where screen readers are.
    getPopupContainer: (field: HTMLElement) => field.parentElement ?? document.body,
    optionRender: ({ data: { label, count } }: { data: { label: string; count: string } }) => (
      <span className={styles['tagOption']}>
        {label} <span>{count}</span>
      </span>
    ),
  };
  return (
    <>
      <DialogField htmlFor={`${id}-add`} label={t('operations.fields.addTags')}>
        <TextList
          {...shared}
          aria-describedby={`${id}-hint`}
          autoFocus
          id={`${id}-add`}
          isWrong={(tag) => !newTagSchema.safeParse(tag).success}
          onChange={(tags) => change('add', tags)}
          problem={problem}
          options={tagOptions.filter(({ value }) => !currentTags?.includes(value))}
          separators={[',', ';', '\n']}
          value={add}
        />
        {problem === undefined ? (
          <span className={styles['hint']} id={`${id}-hint`}>
            {t('operations.tagsHint', {
              atOnce: limits.tags.atOnce,
              length: limits.tags.length,
              perSim: limits.tags.perSim,
            })}
          </span>
        ) : null}
      </DialogField>
      <DialogField htmlFor={`${id}-remove`} label={t('operations.fields.removeTags')}>
        <Select<string[], { value: string; label: string; count: string }>
          {...shared}
          id={`${id}-remove`}
          maxCount={limits.tags.atOnce}
          mode="multiple"
          notFoundContent={t('operations.noTags')}
          onChange={(tags) => {
            showSearch.onSearch('');
            change('remove', tags);
          }}
          {...removable}
          value={remove}
        />
      </DialogField>
    </>
  );
};

/** The most used tags that the search finds, with the number of their SIMs. */
const useTagOptions = (search: string) => {
  const format = useFormat();
  const body = search === '' ? {} : { search };
  const { data } = useQuery({
    ...endpointQuery(endpoints.sim.listTags, { body }),
    placeholderData: keepPreviousData,
  });
  const tags = data?.data ?? [];
  return tags.map(({ tag, sims }) => ({ value: tag, label: tag, count: format.count(sims) }));
};
