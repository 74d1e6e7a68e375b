import type { Enterprise } from '@simcube/contract/org';
import { useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { DeleteOrganisationDialog } from '../components/delete-dialog.tsx';
import {
  canSetQuota,
  EditOrganisationDialog,
  nameLockReason,
} from '../components/edit-organisation-dialog.tsx';
import { LimitsCard } from '../components/limits-card.tsx';
import { WithEnterprise } from '../components/with-enterprise.tsx';
import { isAdminHere, useQuotaText } from '../org-context.ts';
import styles from './organisation.module.css';

export interface OrganisationPanelProps {
  /** Set for an organisation other than the current one. */
  code: string | undefined;
}

/** An organisation's details and limits. */
export const OrganisationPanel = ({ code }: OrganisationPanelProps) => (
  <WithEnterprise code={code} tab="organisation">
    {(enterprise) => (
      <div className={styles['columns']}>
        <OrganisationDetails enterprise={enterprise} />
        <LimitsCard code={enterprise.code} />
      </div>
    )}
  </WithEnterprise>
);

const OrganisationDetails = ({ enterprise }: { enterprise: Enterprise }) => {
  const { t } = useTranslation();
  const router = useRouter();
  const { country, count, language } = useFormat();
  const quotaText = useQuotaText();
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const { code, name, parent_code: parentCode, parent_name: parentName } = enterprise;
  const canEdit = session.can('account', 'write');
  const lockReason = nameLockReason(enterprise);
  const configuredQuota = quotaText(enterprise.sms_quota);
  const effectiveQuota =
    enterprise.sms_quota_messages === null
      ? t('org.quota.unlimited')
      : t('org.quota.count', { messages: count(enterprise.sms_quota_messages) });
  return (
    <Card
      extra={
        canEdit ? (
          <span className={styles['actions']}>
            {isAdminHere() && isBelow(enterprise) ? (
              <Button danger onClick={() => setDeleting(true)}>
                {t('org.actions.delete')}
              </Button>
            ) : null}
            <Button onClick={() => setEditing(true)} type="primary">
              {t('org.settings.edit')}
            </Button>
          </span>
        ) : null
      }
      title={t('org.settings.title')}
    >
      <DescriptionList
        items={[
          {
            term: t('org.fields.name'),
            value: (
              <>
                <strong>{name}</strong>
                {lockReason === null ? null : (
                  <span className={styles['note']}>{t(`org.settings.${lockReason}`)}</span>
                )}
              </>
            ),
          },
          {
            term: t('org.fields.code'),
            value: <Identifier copy label={t('org.fields.code')} value={code} />,
          },
          {
            term: t('org.fields.tenantId'),
            value: <Identifier copy label={t('org.fields.tenantId')} value={enterprise.tenantId} />,
          },
          {
            term: t('org.fields.kind'),
            value: kindsOf(enterprise)
              .map((kind) => t(kind))
              .join(' · '),
          },
          { term: t('org.fields.country'), value: country(enterprise.country) },
          {
            term: t('org.fields.parent'),
            value:
              parentCode === null ? null : t('kit.marks.aside', { text: parentName ?? '', note: parentCode }),
          },
          {
            term: t('org.fields.smsQuota'),
            value: (
              <>
                {configuredQuota === effectiveQuota
                  ? configuredQuota
                  : t('org.quota.inEffect', { own: configuredQuota, effective: effectiveQuota })}
                {canSetQuota(enterprise) ? null : (
                  <span className={styles['note']}>{t('org.quota.fromAbove')}</span>
                )}
              </>
            ),
          },
          { term: t('org.fields.role'), value: t(`common.roles.${enterprise.role}`) },
          { term: t('org.fields.created'), value: <Time at={enterprise.created_at} style="date" /> },
        ]}
      />
      <EditOrganisationDialog enterprise={enterprise} onClose={() => setEditing(false)} open={editing} />
      <DeleteOrganisationDialog
        onClose={() => setDeleting(false)}
        onDeleted={() => router.history.push(`/${language}/orgs`)}
        organisation={deleting ? enterprise : undefined}
      />
    </Card>
  );
};

/**
 * An organisation can be deleted only from above. One that the person may see without being a member is below the current one;
 * for those with a membership, only direct children of the current one are known.
 */
const isBelow = ({ code, parent_code: parent }: Enterprise): boolean => {
  const current = session.get('partnerCode');
  return code !== current && (parent === current || !session.memberships().some((one) => one.code === code));
};

/** The kind of organisation as the operator sees it. First-level organisations pay in any case. */
const kindsOf = ({ parent_code: parent, first_level: firstLevel, ...rest }: Enterprise) => {
  const isSettlement = rest.settlement && (!firstLevel || rest.name_fixed);
  const level = parent === null ? 'operator' : firstLevel ? 'firstLevel' : 'sub';
  return [level, ...(isSettlement ? (['settlement'] as const) : [])].map(
    (kind) => `org.settings.kinds.${kind}` as const,
  ) as `org.settings.kinds.${'operator' | 'firstLevel' | 'sub' | 'settlement'}`[];
};
