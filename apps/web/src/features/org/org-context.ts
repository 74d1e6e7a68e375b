import { isAdmin, type Language } from '@simcube/contract';
import type { Organisation, SmsQuota } from '@simcube/contract/org';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { session } from '../../lib/session/index.ts';

/** "An admin check is true when the role contains admin" (specification, section 6). */
export const isAdminHere = (): boolean => {
  const role = session.currentMembership()?.role;
  return role !== undefined && isAdmin(role);
};

/** Link to an organisation's settings, by default the current one's. */
export const settingsHref = (language: Language, code?: string): string =>
  `/${language}/setCard?tab=organisation${code === undefined ? '' : `&organisation=${encodeURIComponent(code)}`}`;

/**
 * Whether it is below the current organisation, as far as the list shows: it can be deleted only from above. The server checks
 * again.
 */
export const isBelowCurrent = (
  { code, parent_code: parent }: Pick<Organisation, 'code' | 'parent_code'>,
  organisations: readonly Pick<Organisation, 'code' | 'parent_code'>[],
): boolean => {
  const current = session.get('partnerCode');
  let ancestor = parent;
  // A tree has no cycles; `seen` ends the loop even if the list has one.
  for (const seen = new Set([code]); ancestor !== null && !seen.has(ancestor); ) {
    if (ancestor === current) return true;
    seen.add(ancestor);
    const next = ancestor;
    ancestor = organisations.find((one) => one.code === next)?.parent_code ?? null;
  }
  return false;
};

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
