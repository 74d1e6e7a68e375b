import { endpoints, limits } from '@simcube/contract';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Answer, ApiFailure, call, messageOf, upload } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { type OrderEnds, useOrder } from '../../../lib/orders/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { FileDrop } from '../../../ui/file-drop/index.ts';
import styles from '../operations/operations.module.css';
import { PreviewSummary } from '../operations/preview-summary.tsx';
import { fileRulesOf } from './file-rules.ts';
import { InfoRows, type ReadInfo, WrongRows } from './info-tables.tsx';
import { TemplateLinks } from './template-links.tsx';

/** Sets device names, notes and tags of many SIMs by file: template, file, errors, preview, apply. */
export const UploadInfoDialog = (ends: OrderEnds) => {
  const { t } = useTranslation();
  const { sending, refusal, submit } = useOrder(ends);
  return (
    <Dialog keep={sending} onClose={ends.onClose} open title={t('operations.titles.updateInfo')} width={680}>
      <Ask onCancel={ends.onClose} refusal={refusal} sending={sending} submit={submit} />
    </Dialog>
  );
};

interface AskProps extends Pick<ReturnType<typeof useOrder>, 'sending' | 'refusal' | 'submit'> {
  onCancel: () => void;
}

const Ask = ({ sending, refusal, submit, onCancel }: AskProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const [orgCode] = useState(() => session.get('partnerCode') ?? '');
  const [reading, setReading] = useState<string | undefined>();
  const [read, setRead] = useState<{ name: string; info: ReadInfo } | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const replaces = useRef<string | undefined>(undefined);

  const take = async (file: File): Promise<void> => {
    setReading(file.name);
    setProblem(undefined);
    setRead(undefined);
    try {
      const { data }: Answer<ReadInfo> = await upload(endpoints.sim.parseInfo, {
        params: { orgCode },
        query: { replaces: replaces.current },
        file,
        announce: false,
      });
      replaces.current = data.upload_id;
      setRead({ name: file.name, info: data });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setProblem(messageOf(error));
    } finally {
      setReading(undefined);
    }
  };
  const info = read?.info;
  const changing = info?.preview.changing ?? 0;
  const send = (): void => {
    if (!info) return;
    const body = { upload_id: info.upload_id };
    submit(
      body,
      async (idempotencyKey) =>
        (await call(endpoints.sim.updateInfo, { params: { orgCode }, body, announce: false, idempotencyKey }))
          .data,
    );
  };
  return (
    <div className={styles['content']}>
      <p className={styles['words']}>
        {t('operations.about.updateInfo', { max: format.count(limits.upload.rows) })}{' '}
        {t('operations.clearing')}
      </p>
      <TemplateLinks of="uploadInfo" />
      <FileDrop
        busy={reading !== undefined}
        fileName={reading ?? read?.name}
        label={t('operations.fields.infoFile')}
        onFile={(file) => void take(file)}
        problem={problem}
        rules={fileRulesOf(endpoints.sim.parseInfo)}
      />
      {info ? (
        <>
          <PreviewSummary error={null} name="updateInfo" onRetry={() => undefined} preview={info.preview} />
          <WrongRows {...info} />
          {info.sample.length > 0 ? <InfoRows info={info} /> : null}
        </>
      ) : null}
      {refusal ? (
        <p className={styles['wrong']} role="alert">
          {refusal}
        </p>
      ) : null}
      <footer className={styles['footer']}>
        <Button onClick={onCancel}>{t('common.actions.cancel')}</Button>
        <Button disabled={changing === 0} loading={sending} onClick={send} type="primary">
          {changing === 0
            ? t('operations.verbs.updateInfo')
            : t('operations.actions.updateInfo', { count: changing, shown: format.count(changing) })}
        </Button>
      </footer>
    </div>
  );
};
