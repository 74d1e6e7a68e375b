import { CopyOutlined } from '@ant-design/icons';
import type { DiagnoseLink } from '@simcube/contract/diagnose';
import { Button, Input } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { useCopy } from '../../ui/copy/index.ts';
import type { SharedLink } from './api/use-sharing.ts';
import styles from './share-box.module.css';

interface ShareBoxProps {
  /** The link that was just created: its secret URL is shown only once. */
  createdAt: SharedLink | undefined;
  /** All valid links. */
  links: readonly DiagnoseLink[];
  onWithdraw: (link: DiagnoseLink) => void;
}

/** Public links: the new one to copy, and all valid ones with their expiry, each of which can be withdrawn. */
export const ShareBox = ({ createdAt, links, onWithdraw }: ShareBoxProps) => {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles['box']}>
      <h2 className={styles['title']} id={id}>
        {t('simDetail.diagnosePage.sharing')}
      </h2>
      <p className={styles['hint']}>{t('simDetail.diagnosePage.shareHint')}</p>
      {createdAt ? <CreatedLink link={createdAt} /> : null}
      {links.length > 0 ? <Links links={links} onWithdraw={onWithdraw} /> : null}
    </section>
  );
};

const CreatedLink = ({ link: { address, expiresAt } }: { link: SharedLink }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const copy = useCopy();
  return (
    <>
      <div className={styles['link']}>
        <Input
          aria-label={t('simDetail.diagnosePage.link')}
          onFocus={(event) => event.target.select()}
          readOnly
          value={address}
        />
        <Button icon={<CopyOutlined aria-hidden="true" />} onClick={() => copy(address)} type="primary">
          {t('simDetail.diagnosePage.copy')}
        </Button>
      </div>
      <p className={styles['hint']}>
        <time dateTime={expiresAt} title={format.exact(expiresAt)}>
          {t('simDetail.diagnosePage.expires', { time: format.exact(expiresAt) })}
        </time>
      </p>
    </>
  );
};

const Links = ({ links, onWithdraw }: Pick<ShareBoxProps, 'links' | 'onWithdraw'>) => {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <ul aria-label={t('simDetail.diagnosePage.links')} className={styles['links']}>
      {links.map((link) => {
        const createdAt = format.exact(link.made_at);
        return (
          <li className={styles['shared']} key={link.id}>
            <span>
              {t('simDetail.diagnosePage.linkMade', {
                made: createdAt,
                expires: format.exact(link.expires_at),
              })}
            </span>
            <Button
              aria-label={t('simDetail.diagnosePage.withdrawNamed', { made: createdAt })}
              danger
              onClick={() => onWithdraw(link)}
              size="small"
            >
              {t('simDetail.diagnosePage.withdraw')}
            </Button>
          </li>
        );
      })}
    </ul>
  );
};
