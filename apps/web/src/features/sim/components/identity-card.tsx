import type { SimBasic } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Time, useCalendar } from '../../../ui/time/index.ts';
import { useSimConnection } from '../api/use-sim.ts';
import { useSimOrganisations, useSimSpec } from '../api/use-sim-detail.ts';
import styles from './overview-tab.module.css';
import { Tags } from './tags.tsx';

const joinParts = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(' · ');

export const IdentityCard = ({ basic, iccid }: { basic: SimBasic | undefined; iccid: string }) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const format = useFormat();
  const { data: spec } = useSimSpec(iccid);
  const { data: organisations } = useSimOrganisations(iccid);
  const issuer = spec?.data.issuer_country;
  const path = organisations?.data.path.map(({ name }) => name) ?? [];
  const { data: connection } = useSimConnection(iccid);
  const session = connection?.data.session;
  const copyable = (label: string, value: string | null | undefined) =>
    value ? <Identifier copy label={label} value={value} /> : null;
  return (
    <Card title={t('sim.identity.title')}>
      {basic ? (
        <DescriptionList
          items={[
            {
              term: t('sim.fields.device'),
              value: basic.device_name === null ? null : <strong>{basic.device_name}</strong>,
            },
            { term: t('sim.fields.imsi'), value: copyable(t('sim.fields.imsi'), basic.imsi) },
            { term: t('sim.fields.msisdn'), value: copyable(t('sim.fields.msisdn'), basic.msisdn) },
            {
              term: t('sim.fields.imei'),
              value: copyable(t('sim.fields.imei'), session?.imei ?? basic.last_imei),
            },
            {
              term: t('sim.fields.apnIp'),
              value: copyable(t('sim.fields.apnIp'), joinParts(session?.apn ?? basic.apn, basic.ip)),
            },
            {
              term: t('sim.fields.chip'),
              value: joinParts(
                basic.chip_grade && t(`sim.chipGrade.${basic.chip_grade}`),
                basic.technology && t(`sim.technology.${basic.technology}`),
              ),
            },
            {
              term: t('sim.fields.delivery'),
              value: joinParts(
                basic.delivery_note_number,
                basic.shipment_on && calendar.day(basic.shipment_on),
              ),
            },
            { term: t('simDetail.identity.issuer'), value: issuer && format.country(issuer) },
            {
              term: t('simDetail.identity.organisation'),
              value: path.length > 0 ? path.join(' › ') : basic.organisation.name,
            },
            {
              term: t('sim.fields.activated'),
              value: basic.activated_at && <Time at={basic.activated_at} style="date" />,
            },
            {
              term: t('sim.fields.expires'),
              value: basic.expires_at && <Time at={basic.expires_at} style="date" />,
            },
            ...(basic.lifecycle === 'pre-activated' && basic.pre_activation_ends_at
              ? [
                  {
                    term: t('sim.fields.preActivationEnds'),
                    value: <Time at={basic.pre_activation_ends_at} style="date" />,
                  },
                ]
              : []),
            { term: t('sim.fields.tags'), value: basic.tags.length > 0 ? <Tags tags={basic.tags} /> : null },
            ...(basic.notes
              ? [
                  {
                    term: t('sim.fields.notes'),
                    value: <span className={styles['notes']}>{basic.notes}</span>,
                  },
                ]
              : []),
          ]}
        />
      ) : (
        <Loading rows={7} />
      )}
    </Card>
  );
};
