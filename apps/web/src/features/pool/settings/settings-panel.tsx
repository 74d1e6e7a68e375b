import {
  type PoolDetail,
  poolActivationRules,
  poolNameSchema,
  poolOptIns,
  poolPolicies,
} from '@simcube/contract/pool';
import { Input } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { toast } from '../../../lib/toast/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Form, FormField } from '../../../ui/form/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { usePoolSettings } from '../api/use-pool.ts';
import { mayRename, useRename } from '../api/use-rename.ts';
import { LimitTerms } from '../overview/limit-card.tsx';
import styles from './settings.module.css';

interface SettingsProps {
  poolId: string;
  pool: PoolDetail | undefined;
}

/** A pool's name, the parts of its limit, and the rules that the operator has set. */
export const SettingsPanel = ({ poolId, pool }: SettingsProps) => {
  const { t } = useTranslation();
  const { data: response, error, refetch } = usePoolSettings(poolId);
  return (
    <div className={styles['settings']}>
      <div className={styles['column']}>
        <Card title={t('pool.settings.name')}>
          {pool ? <PoolName pool={pool} /> : <Loading rows={3} />}
          <div className={styles['id']}>
            <DescriptionList
              items={[
                {
                  term: t('pool.fields.id'),
                  value: <Identifier copy label={t('pool.fields.id')} value={poolId} />,
                },
              ]}
            />
          </div>
        </Card>
        <Card title={t('pool.limit.limit')}>
          {error && !response ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
          {response ? <LimitTerms {...response.data} /> : null}
          <p className={styles['hint']}>{t('pool.settings.limitHint')}</p>
        </Card>
      </div>
      <Card title={t('pool.settings.rules')}>
        <p className={styles['hint']}>{t('pool.settings.byOperator')}</p>
        <Rule label={t('pool.fields.policy')}>
          {poolPolicies.map((value) => (
            <RuleOption isSelected={pool?.policy === value} key={value} name={t(`pool.policies.${value}`)}>
              {t(`pool.settings.policies.${value}`)}
            </RuleOption>
          ))}
        </Rule>
        <Rule label={t('pool.fields.optIn')}>
          {poolOptIns.map((value) => (
            <RuleOption isSelected={pool?.opt_in === value} key={value} name={t(`pool.optIns.${value}`)}>
              {t(`pool.settings.optIns.${value}`)}
            </RuleOption>
          ))}
        </Rule>
        <Rule label={t('pool.fields.rule')}>
          {poolActivationRules.map((value) => (
            <RuleOption
              isSelected={pool?.activation_rule === value}
              key={value}
              name={t(`pool.rules.${value}`)}
            >
              {t(`pool.settings.activationRules.${value}`)}
            </RuleOption>
          ))}
        </Rule>
      </Card>
    </div>
  );
};

const nameSchema = z.object({ name: poolNameSchema });

const PoolName = ({ pool: { id, name } }: { pool: PoolDetail }) => {
  const { t } = useTranslation();
  const rename = useRename(id);
  if (!mayRename()) return <p className={styles['name']}>{name}</p>;
  return (
    <Form
      action={t('pool.settings.rename')}
      codes={{ 'CB-03-0002': 'name' }}
      initial={{ name }}
      key={id}
      onSubmit={async (values) => {
        const renamed = await rename(values.name);
        toast.success(t('pool.settings.renamed', { name: renamed }));
      }}
      schema={nameSchema}
    >
      <FormField label={t('pool.fields.name')} name="name">
        <Input autoComplete="off" />
      </FormField>
    </Form>
  );
};

const Rule = ({ label, children }: { label: string; children: ReactNode }) => (
  <section className={styles['rule']}>
    <h3>{label}</h3>
    <ul>{children}</ul>
  </section>
);

/** One of two options with its meaning; the one not chosen is shown so that it can be asked for. */
const RuleOption = ({
  isSelected,
  name,
  children,
}: {
  isSelected: boolean;
  name: string;
  children: ReactNode;
}) => (
  <li aria-current={isSelected} className={styles['choice']}>
    <b>{name}</b>
    <span>{children}</span>
  </li>
);
