import { limits } from '@simcube/contract';
import { type Lifecycle, type SimSelection, tagSchema } from '@simcube/contract/sim';
import { Button } from 'antd';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { TextList } from '../../../ui/form/index.ts';
import { Select } from '../../../ui/select/index.ts';
import styles from './recipients.module.css';

interface SelectByFilterProps {
  /** The selection from the list of SIMs, until it is discarded. */
  preset: SimSelection | undefined;
  disabled: boolean;
  onDiscardPreset: () => void;
  onSelection: (selection: SimSelection) => void;
}

const lifecycleOptions = ['pre-activated', 'active', 'paused'] as const satisfies readonly Lifecycle[];

/** SIMs by the filter of the SIM list, or by lifecycles and tags. */
export const SelectByFilter = ({ preset, disabled, onDiscardPreset, onSelection }: SelectByFilterProps) => {
  const { t } = useTranslation();
  if (!preset) return <CustomFilter disabled={disabled} onSelection={onSelection} />;
  return (
    <div className={styles['line']}>
      <p>{t('iccids' in preset ? 'sms.compose.chosenSims' : 'sms.compose.chosenFilter')}</p>
      <Button disabled={disabled} onClick={onDiscardPreset} size="small" type="link">
        {t('sms.compose.otherFilter')}
      </Button>
    </div>
  );
};

const CustomFilter = ({ disabled, onSelection }: Pick<SelectByFilterProps, 'disabled' | 'onSelection'>) => {
  const { t } = useTranslation();
  const id = useId();
  const [lifecycle, setLifecycle] = useState<Lifecycle[]>(['active']);
  const [tags, setTags] = useState<string[]>([]);
  const valid = z.array(tagSchema).max(limits.tags.perSim).safeParse(tags).success;
  const reportSelection = useEffectEvent(onSelection);
  useEffect(() => {
    if (!valid) return;
    reportSelection({
      filter: { ...(lifecycle.length > 0 ? { lifecycle } : {}), ...(tags.length > 0 ? { tags } : {}) },
    });
  }, [lifecycle, tags, valid]);
  return (
    <>
      <label htmlFor={`${id}-lifecycle`}>{t('sim.fields.lifecycle')}</label>
      <Select<Lifecycle[]>
        disabled={disabled}
        id={`${id}-lifecycle`}
        mode="multiple"
        onChange={setLifecycle}
        options={lifecycleOptions.map((value) => ({ value, label: t(`sim.lifecycle.${value}`) }))}
        placeholder={t('sms.compose.any')}
        value={lifecycle}
      />
      <label htmlFor={`${id}-tags`}>{t('sms.compose.tags')}</label>
      <TextList
        disabled={disabled}
        id={`${id}-tags`}
        isWrong={(tag) => !tagSchema.safeParse(tag).success}
        onChange={setTags}
        separators={[',', ';', '\n']}
        value={tags}
      />
    </>
  );
};
