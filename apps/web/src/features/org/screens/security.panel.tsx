import { endpoints, limits } from '@simcube/contract';
import { type Enterprise, type SecuritySettings, securitySchema } from '@simcube/contract/org';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { call, endpointQuery } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { changedValues, Form, FormField, useFormFill, useFormValue } from '../../../ui/form/index.ts';
import { NumberField } from '../../../ui/number-field/index.ts';
import { Select } from '../../../ui/select/index.ts';
import { refetchOrganisations } from '../api.ts';
import { WithEnterprise } from '../components/with-enterprise.tsx';
import { hostNetwork, isAllowedFrom, isNetwork } from '../networks.ts';
import styles from './security.module.css';

export interface SecurityPanelProps {
  /** Set for an organisation other than the current one. */
  code: string | undefined;
}

/** An organisation's requirements for signing in. */
export const SecurityPanel = ({ code }: SecurityPanelProps) => {
  const { t } = useTranslation();
  return (
    <WithEnterprise code={code} tab="security">
      {({ code: shown, name, security }) => (
        <Card className={styles['card']} title={t('org.security.title')}>
          <p className={styles['text']}>{t('org.security.text', { name })}</p>
          <Rules code={shown} key={shown} security={security} />
        </Card>
      )}
    </WithEnterprise>
  );
};

const Rules = ({ code, security }: Pick<Enterprise, 'code' | 'security'>) => {
  const { t } = useTranslation();
  if (security === null) return <p>{t('errors.permissionDenied')}</p>;
  return session.can('account', 'write') ? (
    <SecurityForm code={code} security={security} />
  ) : (
    <SecurityDetails security={security} />
  );
};

const SecurityDetails = ({ security }: { security: SecuritySettings }) => {
  const { t } = useTranslation();
  return (
    <DescriptionList
      items={[
        {
          term: t('org.security.twoFactor'),
          value: t(`org.security.${security.two_factor_required ? 'required' : 'optional'}`),
        },
        {
          term: t('org.security.idle'),
          value: t('org.security.hours', { count: security.session_idle_hours }),
        },
        {
          term: t('org.security.longest'),
          value: t('org.security.hours', { count: security.session_hours }),
        },
        {
          term: t('org.security.networks'),
          value: security.allowed_networks.join(', ') || t('org.security.anywhere'),
        },
      ]}
    />
  );
};

const SecurityForm = ({ code, security }: { code: string; security: SecuritySettings }) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const schema = securitySchema.extend({
    // Invalid networks are reported for the whole field, which has no separate places for them.
    allowed_networks: z
      .array(z.string().trim())
      .max(limits.allowedNetworks)
      .superRefine((networks, context) => {
        const network = networks.find((one) => !isNetwork(one));
        if (network === undefined) return;
        context.addIssue({ code: 'custom', message: t('org.security.networkWrong', { network }) });
      }),
  });
  return (
    <Form
      action={t('org.security.save')}
      initial={security}
      onSubmit={async (values) => {
        // Another admin may have changed the other rules since the page was opened.
        const body = { code, security: changedValues(security, values) };
        await call(endpoints.org.updateEnterprise, { body, announce: false });
        refetchOrganisations(queries);
        toast.success(t('org.security.saved'));
      }}
      schema={schema}
    >
      <FormField
        hint={t('org.security.twoFactorHint')}
        label={t('org.security.twoFactorRequired')}
        name="two_factor_required"
      >
        <Switch size="small" />
      </FormField>
      <div className={styles['pair']}>
        <FormField
          hint={t('org.security.hoursHint', limits.sessionIdleHours)}
          label={t('org.security.idle')}
          name="session_idle_hours"
        >
          <NumberField precision={0} />
        </FormField>
        <FormField
          hint={t('org.security.hoursHint', limits.sessionHours)}
          label={t('org.security.longest')}
          name="session_hours"
        >
          <NumberField precision={0} />
        </FormField>
      </div>
      <FormField
        hint={t('org.security.networksHint')}
        label={t('org.security.networks')}
        name="allowed_networks"
      >
        <Select
          mode="tags"
          open={false}
          placeholder={t('org.security.networksPlaceholder')}
          suffixIcon={null}
          tokenSeparators={[',', ' ', '\n']}
        />
      </FormField>
      <OwnAddress />
    </Form>
  );
};

/** The person's own address, to avoid locking themselves out by mistake. */
const OwnAddress = () => {
  const { t } = useTranslation();
  const fill = useFormFill();
  const value = useFormValue('allowed_networks');
  const query = { page_size: limits.page.sizes[0] };
  const { data } = useQuery(endpointQuery(endpoints.identity.listSessions, { query }));
  const address = data?.data.find(({ current }) => current)?.address;
  if (!address) return null;
  const networks = (Array.isArray(value) ? value : []).map(String);
  const network = hostNetwork(address);
  const isExcluded = !isAllowedFrom(address, networks.filter(isNetwork));
  return (
    <p className={isExcluded ? `${styles['own']} ${styles['excluded']}` : styles['own']}>
      <span role="status">
        {t('org.security.ownAddress', { address })}
        {isExcluded ? ` ${t('org.security.ownMissing')}` : null}
      </span>
      {networks.includes(network) ? null : (
        <Button onClick={() => fill({ allowed_networks: [...networks, network] })} size="small">
          {t('org.security.addOwn', { network })}
        </Button>
      )}
    </p>
  );
};
