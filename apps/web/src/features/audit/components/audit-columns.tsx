import type { AuditEntry } from '@simcube/contract/audit';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../../ui/data-table/index.ts';
import { SearchHighlight } from '../../../ui/highlight/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { dateSecondsWidth, Time } from '../../../ui/time/index.ts';
import { entryText } from '../../audit-text/index.ts';
import styles from './audit.module.css';
import { Hash } from './hash.tsx';

/** The columns of the audit trail. */
export const useAuditColumns = (): Column<AuditEntry>[] => {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'at',
        filteredBy: ['from', 'to'],
        title: t('audit.fields.at'),
        width: dateSecondsWidth,
        fixed: true,
        phone: 'aside',
        render: ({ at }) => <Time at={at} style="dateSeconds" />,
      },
      {
        id: 'actor',
        title: t('audit.fields.actor'),
        width: 150,
        phone: 'line',
        render: ({ actor }) => (
          <span title={actor.name}>
            <SearchHighlight text={actor.name} />
            {actor.kind === 'person' ? null : (
              <span className={styles['kind']}>{t(`audit.actorKinds.${actor.kind}`)}</span>
            )}
          </span>
        ),
      },
      {
        id: 'action',
        title: t('audit.fields.action'),
        width: 210,
        phone: 'heading',
        render: (entry, href) => (
          <Link className={styles['action']} href={href}>
            {entryText(entry, t)}
          </Link>
        ),
      },
      {
        id: 'subject',
        title: t('audit.fields.subject'),
        width: 290,
        phone: 'line',
        render: ({ subject }) => (
          <span title={subject.name}>
            <SearchHighlight text={subject.name} />
            <span className={styles['kind']}>{t(`audit.subjectKinds.${subject.kind}`)}</span>
          </span>
        ),
      },
      {
        id: 'address',
        title: t('audit.fields.address'),
        width: 130,
        phone: 'line',
        phoneWhen: ({ address }) => address !== null,
        render: ({ address }) =>
          address === null ? (
            <span className={styles['quiet']}>—</span>
          ) : (
            <span className={styles['mono']}>{address}</span>
          ),
      },
      {
        id: 'hash',
        title: t('audit.fields.hash'),
        width: 122,
        render: ({ hash }) => <Hash value={hash} />,
      },
      {
        id: 'number',
        title: t('audit.fields.number'),
        width: 76,
        align: 'end',
        initiallyHidden: true,
        render: ({ number }) => number,
      },
    ],
    [t],
  );
};
