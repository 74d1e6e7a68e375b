import { type Lifecycle, simFilterSchema, tagSchema } from '@simcube/contract/sim';
import { Button } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { TextList, useListProblem } from '../../../ui/form/index.ts';
import { Select } from '../../../ui/select/index.ts';
import styles from './recipients.module.css';
import type { Recipients } from './use-recipients.ts';

type SelectByFilterProps = Recipients['filter'];

const lifecycleOptions = ['pre-activated', 'active', 'paused'] as const satisfies readonly Lifecycle[];

/** SIMs by the filter of the SIM list, or by lifecycles and tags. */
export const SelectByFilter = ({ preset, discardPreset, ...filter }: SelectByFilterProps) => {
  const { t } = useTranslation();
  if (!preset) return <CustomFilter {...filter} />;
  return (
    <div className={styles['line']}>
      <p>{t('iccids' in preset ? 'sms.compose.chosenSims' : 'sms.compose.chosenFilter')}</p>
      <Button onClick={discardPreset} size="small" type="link">
        {t('sms.compose.otherFilter')}
      </Button>
    </div>
  );
};

const CustomFilter = ({
  lifecycle,
  setLifecycle,
  tags,
  setTags,
}: Omit<SelectByFilterProps, 'preset' | 'discardPreset'>) => {
  const { t } = useTranslation();
  const id = useId();
  const problem = useListProblem(simFilterSchema.shape.tags, tags);
  return (
    <>
      <label htmlFor={`${id}-lifecycle`}>{t('sim.fields.lifecycle')}</label>
      <Select<Lifecycle[]>
        id={`${id}-lifecycle`}
        mode="multiple"
        onChange={setLifecycle}
        options={lifecycleOptions.map((value) => ({ value, label: t(`sim.lifecycle.${value}`) }))}
        placeholder={t('sms.compose.any')}
        value={lifecycle}
      />
      <label htmlFor={`${id}-tags`}>{t('sms.compose.tags')}</label>
      <TextList
        id={`${id}-tags`}
        isWrong={(tag) => !tagSchema.safeParse(tag).success}
        problem={problem}
        onChange={setTags}
        separators={[',', ';', '\n']}
        value={tags}
      />
    </>
  );
};
