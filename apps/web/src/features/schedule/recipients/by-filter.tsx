import { limits } from '@simcube/contract';
import { type Lifecycle, type SimSelection, tagSchema } from '@simcube/contract/sim';
import { Button } from 'antd';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { TextList } from '../../../ui/form/index.ts';
import { Select } from '../../../ui/select/index.ts';
import styles from './recipients.module.css';

interface ByFilterProps {
  /** The selection from the list of SIMs, until it is discarded. */
  chosen: SimSelection | undefined;
  disabled: boolean;
  onForget: () => void;
  onSelection: (selection: SimSelection) => void;
}

const offered = ['pre-activated', 'active', 'paused'] as const satisfies readonly Lifecycle[];

/** SIMs by the filter of the SIM list, or by lifecycles and tags. */
export const ByFilter = ({ chosen, disabled, onForget, onSelection }: ByFilterProps) => {
  const { t } = useTranslation();
  if (!chosen) return <OwnFilter disabled={disabled} onSelection={onSelection} />;
  return (
    <div className={styles['line']}>
      <p>{t('iccids' in chosen ? 'sms.compose.chosenSims' : 'sms.compose.chosenFilter')}</p>
      <Button disabled={disabled} onClick={onForget} size="small" type="link">
        {t('sms.compose.otherFilter')}
      </Button>
    </div>
  );
};

const OwnFilter = ({ disabled, onSelection }: Pick<ByFilterProps, 'disabled' | 'onSelection'>) => {
  const { t } = useTranslation();
  const id = useId();
  const [lifecycle, setLifecycle] = useState<Lifecycle[]>(['active']);
  const [tags, setTags] = useState<string[]>([]);
  const valid = z.array(tagSchema).max(limits.tags.perSim).safeParse(tags).success;
  const select = useEffectEvent(onSelection);
  useEffect(() => {
    if (!valid) return;
    select({
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
        options={offered.map((value) => ({ value, label: t(`sim.lifecycle.${value}`) }))}
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
