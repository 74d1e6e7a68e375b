import { DownloadOutlined, LinkOutlined, ReloadOutlined } from '@ant-design/icons';
import type { DiagnoseLink } from '@simcube/contract/diagnose';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { session } from '../../lib/session/index.ts';
import { Drawer } from '../../ui/drawer/index.ts';
import { Failure } from '../../ui/failure/index.ts';
import { Loading } from '../../ui/loading/index.ts';
import { useDiagnose } from './api/use-diagnose.ts';
import { useLinks } from './api/use-links.ts';
import { useSharing } from './api/use-sharing.ts';
import styles from './diagnose-drawer.module.css';
import { Report } from './report.tsx';
import { ShareBox } from './share-box.tsx';

export interface DiagnoseDrawerProps {
  iccid: string;
  open: boolean;
  onClose: () => void;
}

/** The diagnosis of a SIM, in a drawer over its page. */
export const DiagnoseDrawer = ({ iccid, open, onClose }: DiagnoseDrawerProps) => {
  const { t } = useTranslation();
  return (
    <Drawer onClose={onClose} open={open} title={t('simDetail.diagnosePage.of', { iccid })} width={620}>
      <Diagnosis iccid={iccid} />
    </Drawer>
  );
};

const Diagnosis = ({ iccid }: { iccid: string }) => {
  const { t } = useTranslation();
  const { data: response, error, refetch, isFetching } = useDiagnose(iccid);
  const { links, withdraw, refresh } = useLinks(iccid);
  const sharing = useSharing(iccid, refresh);
  const repeat = (): void => {
    // An existing link shows the previous report.
    sharing.forget();
    void refetch();
  };
  const withdrawLink = async (link: DiagnoseLink): Promise<void> => {
    if ((await withdraw(link)) && link.expires_at === sharing.link?.expiresAt) sharing.forget();
  };
  return (
    <div className={styles['content']}>
      <div className={styles['tools']}>
        <Button icon={<ReloadOutlined aria-hidden="true" />} loading={isFetching} onClick={repeat}>
          {t('simDetail.diagnosePage.refresh')}
        </Button>
        {session.can('sim', 'write') ? (
          <Button
            disabled={!response}
            icon={<LinkOutlined aria-hidden="true" />}
            loading={sharing.busy === 'share'}
            onClick={sharing.share}
          >
            {t('simDetail.diagnosePage.share')}
          </Button>
        ) : null}
        <Button
          disabled={!response}
          icon={<DownloadOutlined aria-hidden="true" />}
          loading={sharing.busy === 'pdf'}
          onClick={sharing.pdf}
        >
          {t('simDetail.diagnosePage.pdf')}
        </Button>
      </div>
      {sharing.link || links.length > 0 ? (
        <ShareBox links={links} createdAt={sharing.link} onWithdraw={(link) => void withdrawLink(link)} />
      ) : null}
      {error && !response ? <Failure error={error} onRetry={repeat} /> : null}
      {response || error ? null : <Loading rows={14} />}
      {response ? <Report report={response.data} /> : null}
    </div>
  );
};
