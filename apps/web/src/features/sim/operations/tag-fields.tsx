import { endpoints, limits, toInputIssues } from '@simcube/contract';
import { tagSchema } from '@simcube/contract/sim';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { DialogField } from '../../../ui/dialog/index.ts';
import { TextList } from '../../../ui/form/index.ts';
import { Select } from '../../../ui/select/index.ts';
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
  const format = useFormat();
  const id = useId();
  const problem = useTagProblem(values.add ?? []);
  const { data } = useQuery(endpointQuery(endpoints.sim.listTags, { body: {} }));
  const existingTags = data?.data ?? [];
  const tagOptions = existingTags.map(({ tag, sims }) => ({
    value: tag,
    label: tag,
    count: format.count(sims),
  }));
  const removableOptions = currentTags
    ? currentTags.map((tag) => ({ value: tag, label: tag, count: '' }))
    : tagOptions;
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
          aria-invalid={problem !== undefined}
          autoFocus
          id={`${id}-add`}
          isWrong={(tag) => !tagSchema.safeParse(tag).success}
          onChange={(tags) => change('add', tags)}
          options={tagOptions.filter(({ value }) => !currentTags?.includes(value))}
          separators={[',', ';', '\n']}
          value={add}
        />
        <span
          className={problem ? styles['error'] : styles['hint']}
          id={`${id}-hint`}
          role={problem ? 'alert' : undefined}
        >
          {problem ??
            t('operations.tagsHint', {
              atOnce: limits.tags.atOnce,
              length: limits.tags.length,
              perSim: limits.tags.perSim,
            })}
        </span>
      </DialogField>
      <DialogField htmlFor={`${id}-remove`} label={t('operations.fields.removeTags')}>
        <Select<string[], { value: string; label: string; count: string }>
          {...shared}
          id={`${id}-remove`}
          maxCount={limits.tags.atOnce}
          mode="multiple"
          notFoundContent={t('operations.noTags')}
          onChange={(tags) => change('remove', tags)}
          options={removableOptions}
          value={remove}
        />
      </DialogField>
    </>
  );
};

/** The error in the tags to add, as text; they stay in the field until they are corrected. */
const useTagProblem = (tags: readonly string[]): string | undefined => {
  const { t } = useTranslation();
  const [issue] = addedTagsSchema.safeParse(tags).error?.issues ?? [];
  const [inputIssue] = issue ? toInputIssues(issue) : [];
  if (!issue || !inputIssue) return undefined;
  const message = t(`errors.issues.${inputIssue.key}`, { ...inputIssue.values });
  const item = tags[Number(issue.path[0])];
  return item === undefined ? message : t('kit.form.ofItem', { item, message });
};
