import type { PoolMember } from '@simcube/contract/pool';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { FoundIdentifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Money } from '../../../ui/money/index.ts';
import { lifecycleTones, Status } from '../../../ui/status/index.ts';
import { dateWidth, Time } from '../../../ui/time/index.ts';
import { ShareBar } from './share-bar.tsx';

/** @param maxBytes the amount of a full bar */
export const useMemberColumns = (maxBytes: number): Column<PoolMember>[] => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const width = language.startsWith('zh') ? widths.chinese : widths.latin;
  return useMemo(
    () => [
      {
        id: 'iccid',
        title: t('sim.columns.iccid'),
        width: 168,
        fixed: true,
        sort: 'iccid',
        phone: 'heading',
        render: ({ iccid }, href) => (
          <Link href={href}>
            <FoundIdentifier emphasis label={t('sim.columns.iccid')} value={iccid} />
          </Link>
        ),
      },
      {
        id: 'device',
        title: t('pool.members.device'),
        width: 110,
        phone: 'heading',
        phoneWhen: ({ device_name: name }) => name !== null,
        render: ({ device_name: name }) => name ?? '—',
      },
      {
        id: 'state',
        title: t('pool.fields.state'),
        width: width.state,
        phone: 'aside',
        render: (member) => <MemberState member={member} />,
      },
      {
        id: 'lifecycle',
        title: t('sim.fields.lifecycle'),
        width: 112,
        render: ({ lifecycle }) => (
          <Status tone={lifecycleTones[lifecycle]}>{t(`sim.lifecycle.${lifecycle}`)}</Status>
        ),
      },
      {
        id: 'used',
        title: t('pool.members.used'),
        width: 106,
        align: 'end',
        sort: 'used_bytes',
        phone: 'line',
        render: ({ used_bytes: used }) => <Bytes value={used} />,
      },
      {
        id: 'shares',
        title: t('pool.members.shares'),
        width: 124,
        render: (member) => <ShareBar member={member} maxBytes={maxBytes} />,
      },
      {
        id: 'own',
        title: t('pool.members.own'),
        width: 96,
        align: 'end',
        phone: 'line',
        render: ({ own_bytes: own }) => <Bytes value={own} />,
      },
      {
        id: 'above',
        title: t('pool.members.above'),
        width: 90,
        align: 'end',
        phone: 'line',
        phoneWhen: ({ above_bytes: above }) => above > 0,
        render: ({ above_bytes: above }) => (above > 0 ? <Bytes value={above} /> : '—'),
      },
      {
        id: 'cost',
        title: t('price.column'),
        width: 78,
        align: 'end',
        phone: 'line',
        phoneWhen: ({ cost }) => cost !== null,
        render: ({ cost }) => <Money amount={cost} />,
      },
      {
        id: 'joined',
        title: t('pool.members.joined'),
        width: width.joined,
        sort: 'enrolled_at',
        phone: 'line',
        render: ({ enrolled_at: at }) => <Time at={at} style="date" />,
      },
      {
        id: 'activated',
        title: t('pool.members.contributesSince'),
        width: dateWidth,
        initiallyHidden: true,
        render: ({ activated_at: at }) => <Time at={at} style="date" />,
      },
    ],
    [t, maxBytes, width],
  );
};

/** All columns fit next to the page's scroll bar in a wide window: headings are long in Spanish, dates in Chinese. */
const widths = {
  latin: { state: 133, joined: 112 },
  chinese: { state: 113, joined: dateWidth },
} as const;

const MemberState = ({ member: { stopped, above_bytes: above } }: { member: PoolMember }) => {
  const { t } = useTranslation();
  if (stopped) return <Status tone="red">{t('pool.members.states.stopped')}</Status>;
  return above > 0 ? (
    <Status tone="orange">{t('pool.members.states.above')}</Status>
  ) : (
    <Status tone="teal">{t('pool.members.states.within')}</Status>
  );
};
