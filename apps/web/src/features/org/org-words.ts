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

/** Settings of one: of the current organisation, unless it says another. */
export const settingsHref = (language: Language, code?: string): string =>
  `/${language}/setCard?tab=organisation${code === undefined ? '' : `&organisation=${encodeURIComponent(code)}`}`;

/**
 * Whether it hangs below the current organisation, as far as the list shows: only from above can it be deleted. The
 * server decides again.
 */
export const isBelowCurrent = (
  { code, parent_code: parent }: Pick<Organisation, 'code' | 'parent_code'>,
  known: readonly Pick<Organisation, 'code' | 'parent_code'>[],
): boolean => {
  const current = session.get('partnerCode');
  let above = parent;
  // A tree has no way back to where one was; whatever the list says, this ends.
  for (const seen = new Set([code]); above !== null && !seen.has(above); ) {
    if (above === current) return true;
    seen.add(above);
    const next = above;
    above = known.find((one) => one.code === next)?.parent_code ?? null;
  }
  return false;
};

/** A quota in words: "Inherited", "1,000 SMS". */
export const useQuotaWords = (): ((quota: SmsQuota) => string) => {
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
