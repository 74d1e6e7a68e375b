import { endpoints } from '@simcube/contract';
import type { AutoflowRule } from '@simcube/contract/autoflow';
import type { Channel, TargetChoice } from '@simcube/contract/notify';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { mayWrite } from '../may-write.ts';
import { useAllTemplates } from '../templates/use-templates.ts';

type NotificationKind = 'mail' | 'api' | 'sms';

/** The kind of target of each kind of notification. */
const channelOf = { mail: 'email', api: 'api', sms: 'sms' } as const satisfies Record<
  NotificationKind,
  Channel
>;

interface Target {
  id: string;
  name: string;
  /** With the number of addresses, or with the URL for people who may read it. */
  label: string;
}

export interface Targets {
  mail: readonly Target[];
  api: readonly Target[];
  sms: readonly Target[];
  templates: readonly { id: string; name: string }[];
  /** Whether they have been read. */
  known: boolean;
  /** Why they could not be read. */
  error: Error | null;
  retry: () => void;
}

/** The targets and templates for a rule's notifications; people who may not change rules see those that the rule has. */
export const useTargets = (rule: AutoflowRule | undefined): Targets => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { data, error, refetch } = useApiQuery({
    ...endpointQuery(endpoints.autoflow.listTargets),
    enabled: mayWrite(),
  });
  const templates = useAllTemplates().data?.data;
  const labelOf = (
    { name, url, addresses }: Pick<TargetChoice, 'name' | 'url' | 'addresses'>,
    isApi: boolean,
  ) =>
    isApi
      ? [name, url].filter((part) => part !== null).join(' · ')
      : `${name} · ${t('autoflow.addresses', { count: addresses, shown: count(addresses) })}`;
  const targetsOf = (kind: NotificationKind): Target[] => {
    const isApi = kind === 'api';
    const listed = data?.data.filter((one) => one.kind === channelOf[kind]);
    if (listed) return listed.map((one) => ({ id: one.id, name: one.name, label: labelOf(one, isApi) }));
    return (rule?.actions ?? []).flatMap((action, index) => {
      const target = rule?.targets[index];
      return action.kind === kind && 'group_id' in action && target
        ? [{ id: action.group_id, name: target.name, label: labelOf(target, isApi) }]
        : [];
    });
  };
  return {
    mail: targetsOf('mail'),
    api: targetsOf('api'),
    sms: targetsOf('sms'),
    templates: templates ?? [],
    known: data !== undefined,
    error: data ? null : error,
    retry: () => void refetch(),
  };
};
