import { endpoints, limits } from '@simcube/contract';
import { type Enterprise, newOrganisationBodySchema } from '@simcube/contract/org';
import { useQueryClient } from '@tanstack/react-query';
import { Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { changedValues, Form, FormField, sameValues } from '../../../ui/form/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { refetchOrganisations, useSubOrganisations } from '../api.ts';
import { quotaFields, quotaOf, quotaValuesOf } from '../quota-fields.ts';
import { CountrySelect } from './country-select.tsx';
import { QuotaFields, useQuotaRule } from './quota-fields.tsx';

interface EditProps {
  open: boolean;
  enterprise: Enterprise;
  onClose: () => void;
}

/** Name, country and SMS quota, as far as they may be changed from the current organisation. */
export const EditOrganisationDialog = ({ open, enterprise, onClose }: EditProps) => {
  const { t } = useTranslation();
  return (
    <Dialog
      onClose={onClose}
      open={open}
      title={t('org.settings.editTitle', { name: enterprise.name })}
      width={560}
    >
      {enterprise.parent_code !== null && canSetQuota(enterprise) ? (
        <WithParentQuota enterprise={enterprise} onClose={onClose} parentCode={enterprise.parent_code} />
      ) : (
        <EditForm cap={null} enterprise={enterprise} onClose={onClose} />
      )}
    </Dialog>
  );
};

/** Why the name can't be changed from here; null if it can. */
export const nameLockReason = ({ name_fixed: isFixed, first_level: firstLevel, code }: Enterprise) => {
  if (isFixed) return 'nameSettlement';
  return firstLevel && session.get('partnerCode') === code ? 'nameFirstLevel' : null;
};

/** A quota is set by the parent; the topmost organisation sets its own. */
export const canSetQuota = ({ code, parent_code: parent }: Enterprise): boolean =>
  parent === null || session.get('partnerCode') !== code;

interface WithParentQuotaProps {
  enterprise: Enterprise;
  parentCode: string;
  onClose: () => void;
}

/** Limits the quota to the parent's own. */
const WithParentQuota = ({ enterprise, parentCode, onClose }: WithParentQuotaProps) => {
  const { data, error } = useSubOrganisations(parentCode);
  if (!data && !error) return <Loading rows={5} />;
  // Without a response, the server, which checks it anyway, reports an excessive quota.
  return <EditForm cap={data?.data.sms_quota_messages ?? null} enterprise={enterprise} onClose={onClose} />;
};

/** A form has no values for fields that it does not show. */
const formSchema = newOrganisationBodySchema
  .pick({ name: true, country: true })
  .extend({ ...quotaFields, quota: quotaFields.quota.optional() });

interface EditFormProps {
  enterprise: Enterprise;
  cap: number | null;
  onClose: () => void;
}

const EditForm = ({ enterprise, cap, onClose }: EditFormProps) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { code, name, country, sms_quota: currentQuota, parent_name: parent } = enterprise;
  const lockReason = nameLockReason(enterprise);
  const isQuotaEditable = canSetQuota(enterprise);
  const schema = formSchema.superRefine(useQuotaRule(cap));
  return (
    <Form
      action={t('org.settings.save')}
      codes={{
        'CB-07-0030': 'quota',
        'CB-07-0131': 'name',
        'CB-07-0133': 'name',
        'CB-07-0135': 'name',
      }}
      initial={{ name, country, ...quotaValuesOf(currentQuota) }}
      onCancel={onClose}
      onDone={onClose}
      onSubmit={async ({ quota, messages, ...values }) => {
        const { data } = await call(endpoints.org.updateEnterprise, {
          // Another admin may have changed the other fields since the page was opened.
          body: {
            code,
            ...changedValues({ name, country }, values),
            ...(quota === undefined || sameValues({ ...currentQuota }, quotaOf({ quota, messages }))
              ? {}
              : { sms_quota: quotaOf({ quota, messages }) }),
          },
          announce: false,
        });
        refetchOrganisations(queries);
        toast.success(t('org.settings.saved', { name: data.name }));
      }}
      schema={schema}
    >
      <FormField
        hint={
          lockReason === null ? t('org.nameHint', limits.organisationName) : t(`org.settings.${lockReason}`)
        }
        label={t('org.fields.name')}
        name="name"
      >
        <Input {...(lockReason === null ? {} : { disabled: true })} />
      </FormField>
      <FormField label={t('org.fields.country')} name="country">
        <CountrySelect />
      </FormField>
      {isQuotaEditable ? <QuotaFields cap={cap} parent={parent} /> : null}
    </Form>
  );
};
