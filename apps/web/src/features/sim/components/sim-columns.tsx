import { type TextRange, uniqueTexts } from '@simcube/contract';
import { lifecyclesWithData, type SimMatch, type SimRow, type SimSearchField } from '@simcube/contract/sim';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Bytes } from '../../../ui/bytes/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { Highlight } from '../../../ui/highlight/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Money } from '../../../ui/money/index.ts';
import { lifecycleTones, Status } from '../../../ui/status/index.ts';
import { type Calendar, dateTimeWidth, dateWidth, Time, useCalendar } from '../../../ui/time/index.ts';
import { networkText } from '../sim-display.ts';
import { ConnectionStatus } from './connection-status.tsx';
import { CycleUsage } from './cycle-usage.tsx';
import { DataStatus } from './data-status.tsx';
import styles from './sim-columns.module.css';
import { Tags } from './tags.tsx';
import { tagsThatFit } from './tags-that-fit.ts';
import { WeekSparkline } from './week-sparkline.tsx';

const identifierCell = (label: string, value: string | null, found?: TextRange) =>
  value ? <Identifier found={found} label={label} value={value} /> : '—';

const mayUseData = ({ lifecycle }: SimRow): boolean => lifecyclesWithData.includes(lifecycle);

const matchesIn = ({ matched = [] }: SimRow, field: SimSearchField): SimMatch[] =>
  matched.filter((match) => match.field === field);
const matchIn = (sim: SimRow, field: SimSearchField): SimMatch | undefined => matchesIn(sim, field)[0];

/** The columns of the SIM list, in the default order. */
export const useSimColumns = (): Column<SimRow>[] => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  return useMemo(
    () => [
      {
        id: 'iccid',
        title: t('sim.fields.iccid'),
        width: 168,
        fixed: true,
        sort: 'iccid',
        searched: 'iccid',
        phone: 'heading',
        render: (sim, href) => (
          <Link href={href}>
            <Identifier
              emphasis
              found={matchIn(sim, 'iccid')}
              label={t('sim.fields.iccid')}
              value={sim.iccid}
            />
          </Link>
        ),
      },
      {
        id: 'device',
        filteredBy: ['device_name'],
        title: t('sim.fields.device'),
        width: 141,
        sort: 'device_name',
        searched: 'device_name',
        phone: 'heading',
        render: (sim) =>
          sim.device_name === null ? (
            <Absent />
          ) : (
            <span title={sim.device_name}>
              <Highlight range={matchIn(sim, 'device_name')} text={sim.device_name} />
            </span>
          ),
      },
      {
        id: 'lifecycle',
        title: t('sim.fields.lifecycle'),
        width: 119,
        sort: 'lifecycle',
        phone: 'aside',
        render: (sim) => (
          <Status tone={lifecycleTones[sim.lifecycle]}>{t(`sim.lifecycle.${sim.lifecycle}`)}</Status>
        ),
      },
      {
        id: 'connection',
        title: t('sim.fields.connection'),
        width: 116,
        phone: 'aside',
        render: (sim) => <ConnectionStatus sim={sim} />,
      },
      {
        id: 'data',
        filteredBy: ['data_state'],
        title: t('sim.fields.data'),
        width: 128,
        initiallyHidden: true,
        phone: 'aside',
        phoneWhen: (sim) => mayUseData(sim) && sim.data.state !== 'open',
        render: (sim) => (mayUseData(sim) ? <DataStatus data={sim.data} /> : <Absent />),
      },
      {
        id: 'network',
        filteredBy: ['country', 'operator', 'radio'],
        title: t('sim.fields.network'),
        width: 158,
        phone: 'aside',
        phoneWhen: (sim) => sim.network !== null,
        render: (sim) =>
          sim.network ? (
            <span className={styles['muted']} title={networkText(sim.network)}>
              {networkText(sim.network)}
            </span>
          ) : (
            <Absent />
          ),
      },
      {
        id: 'usage',
        filteredBy: ['usage', 'usage_percent_max', 'over'],
        title: t('sim.fields.cycleUsage'),
        width: 96,
        phone: 'line',
        render: (sim) => <CycleUsage sim={sim} />,
      },
      {
        id: 'limit',
        filteredBy: ['usage_bytes_min', 'usage_bytes_max'],
        title: t('sim.fields.usedLimit'),
        width: 110,
        sort: 'cycle_usage_bytes',
        align: 'end',
        phone: 'line',
        render: (sim) =>
          sim.limit_bytes === null && sim.cycle_usage_bytes === 0 ? (
            <Absent />
          ) : (
            <Bytes limit={sim.limit_bytes} value={sim.cycle_usage_bytes} />
          ),
      },
      {
        id: 'week',
        title: t('sim.fields.week'),
        width: 80,
        render: (sim) => <WeekSparkline sim={sim} />,
      },
      {
        id: 'tags',
        title: t('sim.fields.tags'),
        width: 106,
        searched: 'tags',
        phone: 'line',
        phoneWhen: (sim) => sim.tags.length > 0,
        render: (sim) => {
          if (sim.tags.length === 0) return <Absent />;
          const found = matchesIn(sim, 'tags');
          const tags = uniqueTexts([...found.map(({ text }) => text), ...sim.tags]);
          return <Tags found={found} limit={tagsThatFit(tags)} tags={tags} />;
        },
      },
      ...hiddenColumns(t),
      ...cardColumns(t, calendar),
    ],
    [t, calendar],
  );
};

const Absent = () => <span className={styles['muted']}>—</span>;

/** Columns that are hidden by default. */
const hiddenColumns = (t: TFunction): Column<SimRow>[] => [
  {
    id: 'bundle',
    title: t('sim.fields.bundle'),
    width: 150,
    initiallyHidden: true,
    render: (sim) => sim.bundle_name ?? <Absent />,
  },
  {
    id: 'cost',
    filteredBy: ['cost_min', 'cost_max'],
    title: t('price.column'),
    sort: 'cost',
    width: 104,
    align: 'end',
    initiallyHidden: true,
    render: (sim) => <Money amount={sim.cost} />,
  },
  {
    id: 'activated',
    filteredBy: ['activated_from', 'activated_to'],
    title: t('sim.fields.activated'),
    width: dateTimeWidth,
    sort: 'activated_at',
    initiallyHidden: true,
    render: (sim) => <Time at={sim.activated_at} />,
  },
  {
    id: 'expires',
    filteredBy: ['expires', 'expires_from', 'expires_to'],
    title: t('sim.fields.expires'),
    width: dateWidth,
    sort: 'expires_at',
    initiallyHidden: true,
    render: (sim) => <Time at={sim.expires_at} style="date" />,
  },
  {
    id: 'imsi',
    title: t('sim.fields.imsi'),
    width: 146,
    initiallyHidden: true,
    searched: 'imsi',
    render: (sim) => identifierCell(t('sim.fields.imsi'), sim.imsi, matchIn(sim, 'imsi')),
  },
  {
    id: 'msisdn',
    title: t('sim.fields.msisdn'),
    width: 132,
    initiallyHidden: true,
    searched: 'msisdn',
    render: (sim) => identifierCell(t('sim.fields.msisdn'), sim.msisdn, matchIn(sim, 'msisdn')),
  },
  {
    id: 'imei',
    title: t('sim.fields.imei'),
    width: 146,
    initiallyHidden: true,
    searched: 'last_imei',
    render: (sim) => identifierCell(t('sim.fields.imei'), sim.last_imei, matchIn(sim, 'last_imei')),
  },
  {
    id: 'apn',
    title: t('sim.fields.apn'),
    width: 120,
    initiallyHidden: true,
    render: (sim) => sim.apn ?? <Absent />,
  },
  {
    id: 'ip',
    title: t('sim.fields.ip'),
    width: 120,
    initiallyHidden: true,
    render: (sim) => identifierCell(t('sim.fields.ip'), sim.ip),
  },
  {
    id: 'lastSession',
    filteredBy: ['last_session_from', 'last_session_to'],
    title: t('sim.fields.lastSession'),
    width: dateTimeWidth,
    sort: 'last_session_at',
    initiallyHidden: true,
    render: (sim) => <Time at={sim.last_session_at} />,
  },
];

/** Columns of what is stored about the card and its use, hidden by default. */
const cardColumns = (t: TFunction, calendar: Calendar): Column<SimRow>[] => [
  {
    id: 'notes',
    title: t('sim.fields.notes'),
    width: 200,
    initiallyHidden: true,
    searched: 'notes',
    render: (sim) => {
      if (sim.notes === null) return <Absent />;
      const found = matchIn(sim, 'notes');
      return (
        <span title={sim.notes}>
          <Highlight range={found} text={found?.text ?? sim.notes} />
        </span>
      );
    },
  },
  {
    id: 'delivery_note_number',
    title: t('simList.fields.delivery'),
    width: 150,
    initiallyHidden: true,
    render: (sim) => sim.delivery_note_number ?? <Absent />,
  },
  {
    id: 'shipment',
    filteredBy: ['shipment_from', 'shipment_to'],
    title: t('simList.fields.shipment'),
    width: dateWidth,
    initiallyHidden: true,
    render: (sim) => (sim.shipment_on === null ? <Absent /> : calendar.day(sim.shipment_on)),
  },
  {
    id: 'chip_grade',
    title: t('simList.fields.chipGrade'),
    width: 120,
    initiallyHidden: true,
    render: (sim) => (sim.chip_grade === null ? <Absent /> : t(`sim.chipGrade.${sim.chip_grade}`)),
  },
  {
    id: 'technology',
    title: t('simList.fields.technology'),
    width: 130,
    initiallyHidden: true,
    render: (sim) => (sim.technology === null ? <Absent /> : t(`sim.technology.${sim.technology}`)),
  },
  {
    id: 'sms',
    title: t('sim.filters.sms'),
    width: 140,
    initiallyHidden: true,
    render: (sim) =>
      sim.sms_suspended ? (
        <Status tone="orange">{t('sim.filters.smsSuspended')}</Status>
      ) : (
        t('sim.filters.smsOpen')
      ),
  },
];
