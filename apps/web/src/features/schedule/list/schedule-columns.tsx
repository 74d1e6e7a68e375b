import type { Schedule } from '@simcube/contract/schedule';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { SafeText } from '../../../ui/safe-text/index.ts';
import { dateTimeWidth, Time, useZoneName } from '../../../ui/time/index.ts';
import { ScheduleState, useSpanText, useTimesText } from '../parts.tsx';
import { cityOf } from '../zones.ts';
import styles from './schedule-columns.module.css';

/** The columns of every list of schedules. */
export const useScheduleColumns = (): Column<Schedule>[] => {
  const { t } = useTranslation();
  const format = useFormat();
  const timesText = useTimesText();
  const spanText = useSpanText();
  const zone = useZoneName();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('schedule.fields.name'),
        width: 180,
        fixed: true,
        phone: 'heading',
        render: ({ name }, href) => <Link href={href}>{name}</Link>,
      },
      {
        id: 'text',
        title: t('schedule.fields.text'),
        width: 140,
        phone: 'line',
        render: ({ content }) => <SafeText oneLine text={content} />,
      },
      {
        id: 'when',
        title: t('schedule.fields.when'),
        width: 330,
        phone: 'line',
        filteredBy: ['mode'],
        render: ({ when, time_zone: timeZone }) => {
          const text = `${t(`schedule.modes.${when.mode}`)}: ${timesText(when).join('; ')}`;
          const span = spanText(when);
          return (
            <span className={styles['when']}>
              <span title={`${text} (${timeZone})`}>{`${text} (${cityOf(timeZone)})`}</span>
              {span === null ? null : <small>{span}</small>}
            </span>
          );
        },
      },
      {
        id: 'sims',
        title: t('schedule.fields.sims'),
        width: 74,
        align: 'end',
        render: ({ sims }) => format.count(sims),
      },
      {
        id: 'state',
        title: t('schedule.fields.state'),
        width: 110,
        phone: 'aside',
        render: (schedule) => <ScheduleState schedule={schedule} />,
      },
      {
        id: 'next',
        title: t('kit.marks.aside', { text: t('schedule.fields.next'), note: zone }),
        width: dateTimeWidth,
        phone: 'line',
        render: ({ next_run_at: at }) => (at === null ? '—' : <Time at={at} />),
      },
      {
        id: 'last',
        title: t('kit.marks.aside', { text: t('schedule.fields.last'), note: zone }),
        width: dateTimeWidth,
        render: ({ last_run_at: at }) => (at === null ? '—' : <Time at={at} />),
      },
      {
        id: 'group',
        title: t('schedule.fields.group'),
        width: 150,
        initiallyHidden: true,
        render: ({ group }) => group?.name ?? '—',
      },
      {
        id: 'owner',
        title: t('schedule.fields.owner'),
        width: 160,
        initiallyHidden: true,
        render: ({ owner }) => owner ?? '—',
      },
    ],
    [t, format, timesText, spanText, zone],
  );
};
