import { limits } from '@simcube/contract';
import type { SmsQuota } from '@simcube/contract/org';
import { Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useFormat } from '../../../lib/format/index.ts';
import { FormField, useFormValue } from '../../../ui/form/index.ts';
import { NumberField } from '../../../ui/number-field/index.ts';
import { type QuotaInput, validateMessages } from '../quota-fields.ts';
import styles from './quota-fields.module.css';

interface QuotaFieldsProps {
  /** The organisation whose quota is inherited. */
  parent: string | null;
  /** The parent's quota; null: no limit. */
  cap: number | null;
}

/** Monthly SMS quota: the parent's, unlimited if the parent's is, none, or a number up to the parent's. */
export const QuotaFields = ({ parent, cap }: QuotaFieldsProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const kind = useFormValue('quota');
  const labels: Record<SmsQuota['kind'], string> = {
    inherit: parent === null ? t('org.quota.inheritPlain') : t('org.quota.inherit', { parent }),
    unlimited: t('org.quota.unlimited'),
    none: t('org.quota.none'),
    custom: t('org.quota.custom'),
  };
  return (
    <>
      <FormField
        {...(cap === null ? {} : { hint: t('org.quota.limited', { max: count(cap) }) })}
        label={t('org.fields.smsQuota')}
        name="quota"
      >
        <Radio.Group
          className={styles['kinds'] ?? ''}
          options={(['inherit', 'unlimited', 'none', 'custom'] as const).map((value) => ({
            value,
            label: labels[value],
            // Below a parent with a limit none can be unlimited; below one without any SMS none can have a number.
            disabled: (value === 'unlimited' && cap !== null) || (value === 'custom' && cap === 0),
          }))}
        />
      </FormField>
      {kind === 'custom' ? (
        <FormField
          hint={cap === null ? t('org.quota.messagesAny') : t('org.quota.messagesUpTo', { max: count(cap) })}
          label={t('org.quota.messages')}
          name="messages"
        >
          <NumberField className={styles['messages'] ?? ''} max={limits.smsQuota.max} min={1} precision={0} />
        </FormField>
      ) : null}
    </>
  );
};

/** The rule over kind and number, for a form's schema. */
export const useQuotaRule = (cap: number | null) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  return (values: QuotaInput, context: z.RefinementCtx): void => {
    const problem = validateMessages(values, cap);
    if (problem === null) return;
    const message =
      problem === 'missing'
        ? t('errors.issues.required')
        : t('org.quota.aboveParent', { max: count(cap ?? 0) });
    context.addIssue({ code: 'custom', path: ['messages'], message });
  };
};
