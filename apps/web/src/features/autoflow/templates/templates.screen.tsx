import { endpoints } from '@simcube/contract';
import type { AutoflowTemplate } from '@simcube/contract/autoflow';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { attempt, call } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { useSession } from '../../../lib/session/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { useConfirm } from '../../../ui/dialog/index.ts';
import { ListPanel, useList } from '../../../ui/list-screen/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { templateHref } from '../addresses.ts';
import { mayWrite } from '../may-write.ts';
import { newOne, type TemplateSearch, templateSearch } from '../search.ts';
import { ToRules } from '../to-rules.tsx';
import { useTemplateColumns } from './template-columns.tsx';
import { TemplateEditor } from './template-editor.screen.tsx';
import { refetchTemplates, useTemplates } from './use-templates.ts';

/** The organisation's own texts for notifications of rules; the editor of one of them, if it is in the URL. */
export const TemplatesScreen = (address: SearchScreenProps<TemplateSearch>) => {
  const { template } = address.search;
  return template === undefined ? (
    <TemplateList {...address} />
  ) : (
    <TemplateEditor key={template} templateId={template === newOne ? undefined : template} />
  );
};

const TemplateList = (address: SearchScreenProps<TemplateSearch>) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const navigate = useNavigate();
  useSession('rolesInfo');
  const remove = useRemoval();
  const list = useList({
    name: 'autoflow-templates',
    of: templateSearch,
    address,
    query: useTemplates(address.search),
    columns: useTemplateColumns(),
  });
  const go = (id: string): void => void navigate({ href: templateHref(language, id) });
  const menuOf = (template: AutoflowTemplate) => (
    <ActionMenu
      items={() => [
        { key: 'edit', label: t('autoflow.edit'), onClick: () => go(template.id) },
        {
          key: 'remove',
          label: t('autoflow.remove'),
          danger: true,
          separated: true,
          onClick: () => void remove(template),
        },
      ]}
      label={t('autoflow.menu', { name: template.name })}
    />
  );
  return (
    <Page
      actions={
        mayWrite() ? (
          <Button onClick={() => go(newOne)} type="primary">
            {t('autoflow.templates.new')}
          </Button>
        ) : null
      }
      fill
      parent={<ToRules />}
      title={t('autoflow.templates.title')}
    >
      <ListPanel
        empty={{ title: t('autoflow.templates.empty'), hint: t('autoflow.templates.emptyHint') }}
        label={t('autoflow.templates.title')}
        list={list}
        noMatch={{ title: t('autoflow.templates.empty'), hint: t('autoflow.templates.emptyHint') }}
        rowHref={({ id }) => templateHref(language, id)}
        rowKey={({ id }) => id}
        {...(mayWrite() ? { rowActions: menuOf } : {})}
      />
    </Page>
  );
};

/** Removes a template after confirmation; the server refuses to remove one that a rule uses. */
const useRemoval = () => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const confirm = useConfirm();
  return ({ id: templateId, name }: AutoflowTemplate): Promise<boolean> =>
    attempt(async () => {
      const confirmed = await confirm({
        title: t('autoflow.removeTitle', { name }),
        body: t('autoflow.templates.removeText'),
        action: t('autoflow.remove'),
        danger: true,
      });
      if (!confirmed) return;
      try {
        await call(endpoints.autoflow.removeTemplate, { params: { templateId } });
        toast.success(t('autoflow.removed', { name }));
      } finally {
        // Even if it failed: another person may have removed it.
        await refetchTemplates(queries);
      }
    });
};
