import { endpoints } from '@simcube/contract';
import type { Organisation } from '@simcube/contract/org';
import { useQueryClient } from '@tanstack/react-query';
import { Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { call } from '../../../lib/api-client/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { Form, FormField } from '../../../ui/form/index.ts';
import { refetchOrganisationList } from '../api.ts';
import styles from './dialogs.module.css';

interface DeleteProps {
  /** The dialog is closed if undefined. */
  organisation: Pick<Organisation, 'code' | 'name'> | undefined;
  onClose: () => void;
  onDeleted?: () => void;
}

/** Deleting permanently requires typing the exact name first. */
export const DeleteOrganisationDialog = ({ organisation, onClose, onDeleted }: DeleteProps) => {
  const { t } = useTranslation();
  return (
    <Dialog
      onClose={onClose}
      open={organisation !== undefined}
      title={organisation ? t('org.delete.title', { name: organisation.name }) : null}
    >
      {organisation ? (
        <DeleteForm
          onClose={onClose}
          onDeleted={() => {
            onClose();
            onDeleted?.();
          }}
          organisation={organisation}
        />
      ) : null}
    </Dialog>
  );
};

interface DeleteFormProps {
  organisation: Pick<Organisation, 'code' | 'name'>;
  onClose: () => void;
  onDeleted: () => void;
}

const DeleteForm = ({ organisation: { code, name }, onClose, onDeleted }: DeleteFormProps) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const schema = z.object({
    typed: z.string().refine((typed) => typed.trim() === name, { error: t('org.delete.mismatch') }),
  });
  return (
    <>
      <p className={styles['text']}>{t('org.delete.text')}</p>
      <p className={styles['text']}>{t('org.delete.conditions')}</p>
      <Form
        action={t('org.delete.confirm')}
        danger
        initial={{ typed: '' }}
        onCancel={onClose}
        onDone={onDeleted}
        onSubmit={async () => {
          await call(endpoints.org.deleteEnterprise, { params: { orgCode: code }, announce: false });
          refetchOrganisationList(queries);
          toast.success(t('org.delete.done', { name }));
        }}
        schema={schema}
      >
        <FormField label={t('org.delete.type', { name })} name="typed">
          <Input autoComplete="off" placeholder={name} />
        </FormField>
      </Form>
    </>
  );
};
