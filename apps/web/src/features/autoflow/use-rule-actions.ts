import { endpoints, headers } from '@simcube/contract';
import type { AutoflowRule } from '@simcube/contract/autoflow';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { attempt, call } from '../../lib/api-client/index.ts';
import { session } from '../../lib/session/index.ts';
import { toast } from '../../lib/toast/index.ts';
import { useConfirm } from '../../ui/dialog/index.ts';
import { refetchRules } from './use-rules.ts';

type Named = Pick<AutoflowRule, 'id' | 'name' | 'enabled'>;

/** The screen that a rule is removed from, for the audit trail. */
type Scene = 'list' | 'detail';

/** Switches a rule on or off, and removes one after confirmation. */
export const useRuleActions = (scene: Scene) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const confirm = useConfirm();
  return {
    toggle: async ({ id: ruleId, name, enabled }: Named): Promise<void> => {
      await attempt(async () => {
        const state = enabled ? 'disabled' : 'enabled';
        await call(endpoints.autoflow.setState, { params: { ruleId, state } });
        toast.success(t(`autoflow.turned.${state}`, { name }));
      });
      await refetchRules(queries);
    },
    remove: (
      { id: ruleId, name }: Named,
      onRemoved: () => Promise<void> = async () => undefined,
    ): Promise<boolean> =>
      attempt(async () => {
        const confirmed = await confirm({
          title: t('autoflow.removeTitle', { name }),
          body: t('autoflow.removeText'),
          action: t('autoflow.remove'),
          danger: true,
        });
        if (!confirmed) return;
        try {
          await call(endpoints.autoflow.remove, { params: { ruleId }, headers: removalHeaders(scene) });
          toast.success(t('autoflow.removed', { name }));
          await onRemoved();
        } finally {
          // Even if it failed: another person may have removed it.
          await refetchRules(queries);
        }
      }),
  };
};

/** Who removes it and where (specification, section 7): the server refuses an email address other than the caller's. */
const removalHeaders = (scene: Scene) => {
  const email = session.get('userEmail');
  return { [headers.scene]: scene, ...(email === null ? {} : { [headers.operatorEmail]: email }) };
};
