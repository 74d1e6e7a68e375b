import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { SearchHighlight } from '../../../ui/highlight/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { dateWidth, Time } from '../../../ui/time/index.ts';
import type { Group, GroupKind } from '../api/groups.ts';
import styles from './groups.module.css';
import { DeliveryStatus, TargetStatus } from './states.tsx';

/** The columns of the list of groups. */
export const useGroupColumns = (kind: GroupKind): Column<Group>[] => {
  const { t } = useTranslation();
  const { count } = useFormat();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('notify.fields.name'),
        width: 240,
        fixed: true,
        phone: 'heading',
        render: ({ name }, href) => (
          <Link href={href} title={name}>
            <SearchHighlight text={name} />
          </Link>
        ),
      },
      kind === 'api'
        ? {
            id: 'state',
            title: t('notify.fields.state'),
            width: 120,
            phone: 'aside',
            render: ({ api }) => (api ? <TargetStatus state={api.state} /> : null),
          }
        : {
            id: 'count',
            title: t('notify.fields.count'),
            width: 110,
            align: 'end',
            phone: 'line',
            render: ({ addresses }) => count(addresses.length),
          },
      {
        id: 'addresses',
        title: t(`notify.addresses.${kind}`),
        width: 400,
        phone: 'line',
        render: ({ addresses }) => (
          <span className={styles['list']} title={addresses.join('\n')}>
            <SearchHighlight text={addresses.join(', ')} />
          </span>
        ),
      },
      {
        id: 'last',
        title: t('notify.fields.lastDelivery'),
        width: 250,
        phone: 'line',
        render: ({ last_delivery: last }) =>
          last ? (
            <span className={styles['last']}>
              <DeliveryStatus state={last.state} /> <Time at={last.at} />
            </span>
          ) : (
            t('notify.deliveries.none')
          ),
      },
      {
        id: 'created',
        title: t('notify.fields.created'),
        width: dateWidth,
        phone: 'line',
        render: ({ created_at: at }) => <Time at={at} style="date" />,
      },
    ],
    [t, count, kind],
  );
};
