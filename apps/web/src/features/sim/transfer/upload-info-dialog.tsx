import { endpoints, limits } from '@simcube/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiResponse, call, upload } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { type OrderCallbacks, useOrder } from '../../../lib/orders/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Dialog, DialogContent, DialogText } from '../../../ui/dialog/index.ts';
import { Refusal } from '../../../ui/failure/index.ts';
import { FileDrop, useUpload } from '../../../ui/file-drop/index.ts';
import { PreviewSummary } from '../operations/preview-summary.tsx';
import { InfoRows, InvalidRows, type ParsedInfo } from './info-tables.tsx';
import { TemplateLinks } from './template-links.tsx';

/** Sets device names, notes and tags of many SIMs by file: template, file, errors, preview, apply. */
export const UploadInfoDialog = (callbacks: OrderCallbacks) => {
  const { t } = useTranslation();
  return (
    <Dialog onClose={callbacks.onClose} open title={t('operations.titles.updateInfo')} width={680}>
      <UploadInfoForm {...callbacks} />
    </Dialog>
  );
};

const UploadInfoForm = (callbacks: OrderCallbacks) => {
  const { t } = useTranslation();
  const { sending, refusal, submit } = useOrder(callbacks);
  const format = useFormat();
  const [orgCode] = useState(() => session.get('partnerCode') ?? '');
  const [info, setInfo] = useState<ParsedInfo>();
  const file = useUpload(endpoints.sim.parseInfo, async (chosen, replaces) => {
    setInfo(undefined);
    const { data }: ApiResponse<ParsedInfo> = await upload(endpoints.sim.parseInfo, {
      params: { orgCode },
      query: { replaces },
      file: chosen,
      announce: false,
    });
    setInfo(data);
    return data.upload_id;
  });
  const changing = info?.preview.changing ?? 0;
  const send = (): void => {
    if (!info) return;
    const body = { upload_id: info.upload_id };
    submit(
      async () => (await call(endpoints.sim.updateInfo, { params: { orgCode }, body, announce: false })).data,
    );
  };
  return (
    <DialogContent
      actions={
        <Button disabled={changing === 0} loading={sending} onClick={send} type="primary">
          {changing === 0
            ? t('operations.verbs.updateInfo')
            : t('operations.actions.updateInfo', { count: changing, shown: format.count(changing) })}
        </Button>
      }
      onCancel={callbacks.onClose}
    >
      <DialogText>
        {t('operations.about.updateInfo', { max: format.count(limits.upload.rows) })}{' '}
        {t('operations.clearing')}
      </DialogText>
      <TemplateLinks template="uploadInfo" />
      <FileDrop {...file} label={t('operations.fields.infoFile')} />
      {info ? (
        <>
          <PreviewSummary error={null} name="updateInfo" onRetry={() => undefined} preview={info.preview} />
          <InvalidRows {...info} />
          {info.sample.length > 0 ? <InfoRows info={info} /> : null}
        </>
      ) : null}
      <Refusal reason={refusal} />
    </DialogContent>
  );
};
