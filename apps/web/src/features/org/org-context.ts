import { isAdmin, type Language } from '@simcube/contract';
import type { SmsQuota } from '@simcube/contract/org';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { session, useSession } from '../../lib/session/index.ts';

/** "An admin check is true when the role contains admin" (specification, section 6). */
export const isAdminHere = (): boolean => {
  const role = session.currentMembership()?.role;
  return role !== undefined && isAdmin(role);
};

/** Code of the current organisation; null if none is chosen, or the person is not known to belong to it. */
export const useCurrentCode = (): string | null => {
  useSession('partnerCode');
  useSession('rolesInfo');
  return session.currentMembership()?.code ?? null;
};

/** Link to an organisation's settings, by default the current one's. */
export const settingsHref = (language: Language, code?: string): string =>
  `/${language}/setCard?tab=organisation${code === undefined ? '' : `&organisation=${encodeURIComponent(code)}`}`;

/** A quota as text: "Inherited", "1,000 SMS". */
export const useQuotaText = (): ((quota: SmsQuota) => string) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  return (quota) => {
    switch (quota.kind) {
      case 'custom':
        return t('org.quota.count', { messages: count(quota.messages) });
      case 'inherit':
        return t('org.quota.inherited');
      default:
        return t(`org.quota.${quota.kind}`);
    }
  };
};
