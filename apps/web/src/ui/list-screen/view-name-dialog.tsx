import { Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../dialog/index.ts';
import { Form, FormField } from '../form/index.ts';
import type { ListViews } from './list-views.ts';

interface ViewNameDialogProps<S> {
  kind: 'new' | 'copy' | 'rename';
  initial: string;
  naming: ListViews<S>['naming'];
  /** @returns the id of a new view */
  onName: (name: string) => Promise<string | undefined>;
  onNamed: (id: string | undefined) => void;
  onClose: () => void;
}

export const ViewNameDialog = <S,>({
  kind,
  initial,
  naming,
  onName,
  onNamed,
  onClose,
}: ViewNameDialogProps<S>) => {
  const { t } = useTranslation();
  return (
    <Dialog onClose={onClose} open title={t(`kit.views.${kind}Title`)} width={400}>
      <Form
        action={t(kind === 'rename' ? 'kit.views.renameAction' : 'kit.views.save')}
        codes={Object.fromEntries(naming.codes.map((code) => [code, 'name' as const]))}
        initial={{ name: initial }}
        onCancel={onClose}
        onDone={onNamed}
        onSubmit={({ name }) => onName(name)}
        schema={naming.schema}
      >
        <FormField label={t('kit.views.name')} name="name">
          <Input autoFocus />
        </FormField>
      </Form>
    </Dialog>
  );
};
