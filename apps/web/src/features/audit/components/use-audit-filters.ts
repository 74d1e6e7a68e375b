import { type AuditEntry, auditActions } from '@simcube/contract/audit';
import { useTranslation } from 'react-i18next';
import type { Filter } from '../../../ui/filter-bar/index.ts';
import { type List, useFilterBuilder } from '../../../ui/list-screen/index.ts';
import { actionText } from '../../audit-text/index.ts';
import type { AuditSearch } from '../search.ts';
import { useActors } from '../use-audit.ts';

/** The filters of the audit trail for the filter bar. */
export const useAuditFilters = (list: List<AuditEntry, AuditSearch>): Filter[] => {
  const { t } = useTranslation();
  const by = useFilterBuilder(list);
  const { data: accounts } = useActors();
  const actors = new Map<string, string>();
  for (const { id, first_name: first, last_name: last, email, status } of accounts?.data ?? []) {
    if (status !== 'pending') actors.set(id, `${first} ${last}`.trim() || email);
  }
  // Also offers the actors of the entries on screen: removed people, keys, the operator.
  for (const { actor } of list.rows ?? [])
    if (actor.id !== null && !actors.has(actor.id)) actors.set(actor.id, actor.name);
  return [
    by.some('action', {
      label: t('audit.filters.action'),
      options: auditActions.map((value) => ({ value, label: actionText(value, t) })),
    }),
    by.one('actor', {
      label: t('audit.filters.actor'),
      options: [...actors].map(([value, label]) => ({ value, label })),
    }),
    by.days(['from', 'to'], { label: t('audit.filters.period') }),
  ];
};
