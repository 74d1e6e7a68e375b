import type { SimConnection } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { useSimConnection } from '../api/use-sim.ts';
import { ConnectionStatus } from './connection-status.tsx';
import { EndCause } from './end-cause.tsx';
import styles from './session-tab.module.css';

/** The open session, or the last one: the SIM's location, device and traffic. */
export const SessionTab = ({ iccid }: { iccid: string }) => {
  const { t } = useTranslation();
  const { data: response, error, refetch } = useSimConnection(iccid);
  const session = response?.data.session;
  const isOpen = session?.stopped_at === null;
  return (
    <Card title={session && !isOpen ? t('sim.session.last') : t('sim.session.title')}>
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {response || error ? null : <Loading rows={8} />}
      {response && !session ? <Empty hint={t('sim.session.noneHint')} title={t('sim.session.none')} /> : null}
      {response && session ? (
        <div className={styles['columns']}>
          <LocationDetails connection={response.data} session={session} />
          <TrafficDetails session={session} />
        </div>
      ) : null}
    </Card>
  );
};

type Session = NonNullable<SimConnection['session']>;

const LocationDetails = ({ connection, session }: { connection: SimConnection; session: Session }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { network } = session;
  const copyable = (label: string, value: string | null) =>
    value ? <Identifier copy label={label} value={value} /> : null;
  return (
    <DescriptionList
      items={[
        {
          term: t('sim.session.state'),
          value: <ConnectionStatus live sim={connection} />,
        },
        { term: t('sim.session.network'), value: network?.operator },
        { term: t('sim.session.country'), value: network?.country && format.country(network.country) },
        {
          term: t('sim.session.plmn'),
          value: network && copyable(t('sim.session.plmn'), `${network.mcc}-${network.mnc}`),
        },
        {
          term: t('sim.session.radio'),
          value: network?.radio === 'other' ? t('sim.otherRadio') : network?.radio,
        },
        { term: t('sim.session.cell'), value: copyable(t('sim.session.cell'), session.cell) },
        { term: t('sim.fields.ip'), value: copyable(t('sim.fields.ip'), session.ip) },
        { term: t('sim.fields.apn'), value: session.apn },
        { term: t('sim.session.imei'), value: copyable(t('sim.session.imei'), session.imei) },
      ]}
    />
  );
};

const TrafficDetails = ({ session }: { session: Session }) => {
  const { t } = useTranslation();
  return (
    <DescriptionList
      items={[
        { term: t('sim.session.down'), value: <Bytes value={session.down_bytes} /> },
        { term: t('sim.session.up'), value: <Bytes value={session.up_bytes} /> },
        { term: t('sim.session.started'), value: <Time at={session.started_at} style="exact" /> },
        { term: t('sim.session.updated'), value: <Time at={session.updated_at} style="exact" /> },
        ...(session.stopped_at === null
          ? []
          : [
              { term: t('sim.session.stopped'), value: <Time at={session.stopped_at} style="exact" /> },
              { term: t('sim.session.cause'), value: <EndCause cause={session.terminate_cause} /> },
            ]),
        { term: t('sim.session.gateway'), value: session.gateway },
        {
          term: t('sim.session.id'),
          value: <Identifier copy label={t('sim.session.id')} value={session.id} />,
        },
      ]}
    />
  );
};
