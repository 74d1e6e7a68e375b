import { type AuditEntry, auditActionSchema, auditActions } from '@simcube/contract/audit';
import { useTranslation } from 'react-i18next';
import type { Filter } from '../../../ui/filter-bar/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { actionWords } from '../audit-words.ts';
import type { AuditSearch } from '../search.ts';
import { useActors } from '../use-audit.ts';

interface AuditFilters {
  search: AuditSearch;
  /** Who stands in the entries on screen is offered, too: somebody removed, a key, the operator. */
  seen: readonly AuditEntry[];
  onFilter: (filter: Partial<AuditSearch>) => void;
}

/** The filters of the trail as the filter bar wants them. */
export const useAuditFilters = ({ search, seen, onFilter }: AuditFilters): Filter[] => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const { data: accounts } = useActors();
  const actors = new Map<string, string>();
  for (const { id, first_name: first, last_name: last, email, status } of accounts?.data ?? []) {
    if (status !== 'pending') actors.set(id, `${first} ${last}`.trim() || email);
  }
  for (const { actor } of seen)
    if (actor.id !== null && !actors.has(actor.id)) actors.set(actor.id, actor.name);
  const { from, to } = search;
  return [
    {
      kind: 'choice',
      id: 'action',
      label: t('audit.filters.action'),
      options: auditActions.map((value) => ({ value, label: actionWords(value, t) })),
      value: search.action,
      onChange: (action) =>
        onFilter({ action: action?.flatMap((one) => auditActionSchema.safeParse(one).data ?? []) }),
    },
    {
      kind: 'choice',
      single: true,
      id: 'actor',
      label: t('audit.filters.actor'),
      options: [...actors].map(([value, label]) => ({ value, label })),
      value: search.actor === undefined ? undefined : [search.actor],
      onChange: (actor) => onFilter({ actor: actor?.[0] }),
    },
    {
      kind: 'period',
      id: 'period',
      label: t('audit.filters.period'),
      value: from === undefined && to === undefined ? undefined : { from, to },
      read: (period) => {
        const [first, last] = [period.from, period.to].map((day) => (day ? calendar.day(day) : undefined));
        if (first !== undefined && last !== undefined)
          return t('audit.period.both', { from: first, to: last });
        return first === undefined
          ? t('audit.period.to', { to: last ?? '' })
          : t('audit.period.from', { from: first });
      },
      onChange: (period) => onFilter({ from: period?.from, to: period?.to }),
    },
  ];
};
