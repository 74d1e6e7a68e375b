import type { Pool } from '@simcube/contract/pool';
import { type Lifecycle, type SimSelection, simFilterSchema, tagSchema } from '@simcube/contract/sim';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogField, DialogText } from '../../../ui/dialog/index.ts';
import { TextList, useListProblem } from '../../../ui/form/index.ts';
import { Select } from '../../../ui/select/index.ts';

interface SelectByFilterProps {
  bundle: Pool['bundle'];
  disabled: boolean;
  onSelection: (selection: SimSelection | undefined) => void;
}

const lifecycleOptions = ['active', 'paused'] as const satisfies readonly Lifecycle[];

/** All SIMs that use the pool’s bundle, or those with some lifecycles and tags. Pending orders are not searched. */
export const SelectByFilter = ({ bundle, disabled, onSelection }: SelectByFilterProps) => {
  const { t } = useTranslation();
  const id = useId();
  const [lifecycle, setLifecycle] = useState<Lifecycle[]>([]);
  const [tags, setTags] = useState<string[]>([]);
  const problem = useListProblem(simFilterSchema.shape.tags, tags);
  const isValid = problem === undefined;
  const reportSelection = useEffectEvent(onSelection);
  useEffect(() => {
    // A wider selection must not remain while a tag is corrected.
    if (!isValid) return reportSelection(undefined);
    const filter = { bundle: [bundle.code] };
    reportSelection({
      filter: {
        ...filter,
        ...(lifecycle.length > 0 ? { lifecycle } : {}),
        ...(tags.length > 0 ? { tags } : {}),
      },
    });
  }, [bundle.code, lifecycle, tags, isValid]);
  const popupContainer = (field: HTMLElement) => field.parentElement ?? document.body;
  return (
    <>
      <DialogText>{t('pool.membership.allOfBundle', { bundle: bundle.name })}</DialogText>
      <DialogField htmlFor={`${id}-lifecycle`} label={t('sim.fields.lifecycle')}>
        <Select<Lifecycle[]>
          disabled={disabled}
          getPopupContainer={popupContainer}
          id={`${id}-lifecycle`}
          mode="multiple"
          onChange={setLifecycle}
          options={lifecycleOptions.map((value) => ({ value, label: t(`sim.lifecycle.${value}`) }))}
          placeholder={t('pool.membership.any')}
          value={lifecycle}
        />
      </DialogField>
      <DialogField htmlFor={`${id}-tags`} label={t('pool.membership.tags')}>
        <TextList
          disabled={disabled}
          getPopupContainer={popupContainer}
          id={`${id}-tags`}
          isWrong={(tag) => !tagSchema.safeParse(tag).success}
          problem={problem}
          onChange={setTags}
          separators={[',', ';', '\n']}
          value={tags}
        />
      </DialogField>
    </>
  );
};
