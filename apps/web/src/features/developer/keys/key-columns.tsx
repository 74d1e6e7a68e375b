import type { ApiKey } from '@simcube/contract/developer';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { joinList } from '../../../lib/format/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { SafeText } from '../../../ui/safe-text/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { Ago, dateTimeWidth, Time, useNow } from '../../../ui/time/index.ts';

export const useKeyColumns = (): Column<ApiKey>[] => {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('developer.keys.name'),
        width: 190,
        fixed: true,
        phone: 'heading',
        render: ({ name }) => (name === null ? '—' : <SafeText oneLine text={name} />),
      },
      {
        id: 'id',
        title: t('developer.keys.id'),
        width: 320,
        phone: 'line',
        render: ({ id }) => <Identifier copy label={t('developer.keys.id')} value={id} />,
      },
      {
        id: 'rights',
        title: t('developer.keys.rights'),
        width: 150,
        phone: 'line',
        render: ({ rights }) => <Permissions rights={rights} />,
      },
      {
        id: 'used',
        title: t('developer.keys.lastUsed'),
        width: 150,
        phone: 'aside',
        render: ({ last_used_at: at }) => (at === null ? t('developer.keys.neverUsed') : <Ago at={at} />),
      },
      {
        id: 'expires',
        title: t('developer.keys.expires'),
        width: dateTimeWidth,
        phone: 'line',
        render: ({ expires_at: at }) => <Expiry at={at} />,
      },
      {
        id: 'bits',
        title: t('developer.keys.size'),
        width: 110,
        initiallyHidden: true,
        render: ({ bits }) => t('developer.keys.bits', { bits }),
      },
      {
        id: 'created',
        title: t('developer.keys.created'),
        width: dateTimeWidth,
        render: ({ created_at: at }) => <Time at={at} />,
      },
    ],
    [t],
  );
};

/** The key's permissions, if it has fewer than the account; in full on hover. */
const Permissions = ({ rights }: Pick<ApiKey, 'rights'>) => {
  const { t } = useTranslation();
  if (rights === null) return t('developer.keys.allRights');
  const areas = Object.keys(rights) as (keyof typeof rights)[];
  const words = joinList(areas.map((area) => t(`account.permissions.keys.${area}`)));
  return <span title={words}>{words === '' ? t('developer.keys.noRights') : words}</span>;
};

const Expiry = ({ at }: { at: string | null }) => {
  const { t } = useTranslation();
  const now = useNow();
  if (at === null) return t('developer.keys.never');
  return Date.parse(at) <= now ? <Status tone="red">{t('developer.keys.expired')}</Status> : <Time at={at} />;
};
