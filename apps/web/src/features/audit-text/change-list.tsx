import type { ChangeEntry } from '@simcube/contract/audit';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../ui/data-table/index.ts';
import { dateTimeWidth, Time } from '../../ui/time/index.ts';
import { entryText } from './entry-text.ts';

/** Who changed an object, and how. `textOf` describes a change; keep it the same between renderings. */
export const useChangeColumns = (textOf: (change: ChangeEntry) => string): Column<ChangeEntry>[] => {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'at',
        title: t('audit.fields.at'),
        width: dateTimeWidth,
        fixed: true,
        phone: 'aside',
        render: ({ at }) => <Time at={at} />,
      },
      {
        id: 'who',
        title: t('audit.fields.actor'),
        width: 170,
        phone: 'line',
        render: ({ actor }) => actor.name,
      },
      {
        id: 'action',
        title: t('audit.fields.action'),
        width: 230,
        phone: 'heading',
        render: (change) => entryText(change, t),
      },
      {
        id: 'change',
        title: t('audit.fields.change'),
        width: 460,
        phone: 'line',
        render: (change) => {
          const text = textOf(change);
          return <span title={text}>{text}</span>;
        },
      },
    ],
    [t, textOf],
  );
};
