import { endpoints } from '@simcube/contract';
import type { AutoflowRule } from '@simcube/contract/autoflow';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { combinedFailure, useApiQuery } from '../../../ui/query/index.ts';
import { useAllTemplates } from '../templates/use-templates.ts';

interface Target {
  id: string;
  name: string;
  /** The number of addresses, or the address. */
  reach: string;
}

export interface Targets {
  mail: readonly Target[];
  api: readonly Target[];
  sms: readonly Target[];
  templates: readonly { id: string; name: string }[];
  /** Whether all of them have been read. */
  known: boolean;
  /** Why some could not be read. */
  error: Error | null;
  retry: () => void;
}

/** The maximum number that an organisation may have of a kind. */
const query = { page_size: 100 };

/** The targets and templates for a rule's notifications; people who may not list targets see those that the rule has. */
export const useTargets = (rule: AutoflowRule | undefined): Targets => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const enabled = session.can('account', 'read');
  const groupsQuery = useApiQuery({ ...endpointQuery(endpoints.notify.listGroups, { query }), enabled });
  const programsQuery = useApiQuery({
    ...endpointQuery(endpoints.notify.listApiTargets, { query }),
    enabled,
  });
  const phonesQuery = useApiQuery({ ...endpointQuery(endpoints.notify.listSmsGroups, { query }), enabled });
  const [groups, programs, phones] = [
    groupsQuery.data?.data,
    programsQuery.data?.data,
    phonesQuery.data?.data,
  ];
  const templates = useAllTemplates().data?.data;
  const reach = (addresses: number): string =>
    t('autoflow.addresses', { count: addresses, shown: count(addresses) });
  const ruleTargets = (of: 'mail' | 'api' | 'sms'): Target[] =>
    (rule?.actions ?? []).flatMap((action, index) => {
      const target = rule?.targets[index];
      return action.kind === of && 'group_id' in action && target
        ? [{ id: action.group_id, name: target.name, reach: target.url ?? reach(target.addresses) }]
        : [];
    });
  return {
    mail:
      groups?.map(({ id, name, emails }) => ({ id, name, reach: reach(emails.length) })) ??
      ruleTargets('mail'),
    api: programs?.map(({ id, name, url }) => ({ id, name, reach: url })) ?? ruleTargets('api'),
    sms:
      phones?.map((one) => ({ id: one.id, name: one.name, reach: reach(one.phones.length) })) ??
      ruleTargets('sms'),
    templates: templates ?? [],
    known: groups !== undefined && programs !== undefined && phones !== undefined,
    ...combinedFailure([groupsQuery, programsQuery, phonesQuery]),
  };
};
