import { limits } from '@simcube/contract';
import type { Pool } from '@simcube/contract/pool';
import { type Lifecycle, type SimSelection, tagSchema } from '@simcube/contract/sim';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { TextList } from '../../../ui/form/index.ts';
import { Select } from '../../../ui/select/index.ts';
import styles from './membership.module.css';

interface ByFilterProps {
  bundle: Pool['bundle'];
  disabled: boolean;
  onSelection: (selection: SimSelection) => void;
}

const offered = ['pre-activated', 'active', 'paused'] as const satisfies readonly Lifecycle[];

/** All SIMs with the pool's bundle, or those with some lifecycles and tags. */
export const ByFilter = ({ bundle, disabled, onSelection }: ByFilterProps) => {
  const { t } = useTranslation();
  const id = useId();
  const [lifecycle, setLifecycle] = useState<Lifecycle[]>([]);
  const [tags, setTags] = useState<string[]>([]);
  const valid = z.array(tagSchema).max(limits.tags.perSim).safeParse(tags).success;
  const select = useEffectEvent(onSelection);
  useEffect(() => {
    if (!valid) return;
    const filter = { bundle: [bundle.code] };
    select({
      filter: {
        ...filter,
        ...(lifecycle.length > 0 ? { lifecycle } : {}),
        ...(tags.length > 0 ? { tags } : {}),
      },
    });
  }, [bundle.code, lifecycle, tags, valid]);
  const inDialog = (field: HTMLElement) => field.parentElement ?? document.body;
  return (
    <>
      <p className={styles['words']}>{t('pool.membership.allOfBundle', { bundle: bundle.name })}</p>
      <div className={styles['field']}>
        <label className={styles['label']} htmlFor={`${id}-lifecycle`}>
          {t('sim.fields.lifecycle')}
        </label>
        <Select<Lifecycle[]>
          disabled={disabled}
          getPopupContainer={inDialog}
          id={`${id}-lifecycle`}
          mode="multiple"
          onChange={setLifecycle}
          options={offered.map((value) => ({ value, label: t(`sim.lifecycle.${value}`) }))}
          placeholder={t('pool.membership.any')}
          value={lifecycle}
        />
      </div>
      <div className={styles['field']}>
        <label className={styles['label']} htmlFor={`${id}-tags`}>
          {t('pool.membership.tags')}
        </label>
        <TextList
          disabled={disabled}
          getPopupContainer={inDialog}
          id={`${id}-tags`}
          isWrong={(tag) => !tagSchema.safeParse(tag).success}
          onChange={setTags}
          separators={[',', ';', '\n']}
          value={tags}
        />
      </div>
    </>
  );
};
