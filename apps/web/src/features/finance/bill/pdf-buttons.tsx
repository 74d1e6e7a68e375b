import { DownloadOutlined, FilePdfOutlined } from '@ant-design/icons';
import type { Bill } from '@simcube/contract/finance';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { pdfOf } from '../api.ts';
import { useFileAction } from '../use-file-action.ts';

/** The same in all languages. */
const format = 'PDF';

/** Buttons to view and save a bill's PDF; a draft can only be viewed. */
export const PdfButtons = ({ bill: { id, status } }: { bill: Bill }) => {
  const { t } = useTranslation();
  const { making, make } = useFileAction<'preview' | 'save'>();
  const pdf = pdfOf(id);
  const isBusy = making !== undefined;
  return (
    <>
      <Button
        disabled={isBusy && making !== 'preview'}
        icon={<FilePdfOutlined aria-hidden="true" />}
        loading={making === 'preview'}
        onClick={() => make('preview', pdf.preview)}
      >
        {t('finance.pdf.preview')}
      </Button>
      {status === 'draft' ? null : (
        <Button
          aria-label={t('finance.pdf.download')}
          disabled={isBusy && making !== 'save'}
          icon={<DownloadOutlined aria-hidden="true" />}
          loading={making === 'save'}
          onClick={() => make('save', pdf.save)}
          title={t('finance.pdf.download')}
          type="primary"
        >
          {format}
        </Button>
      )}
    </>
  );
};
