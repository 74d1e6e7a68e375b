import { languages } from '@simcube/contract';
import type { AutoflowTemplate } from '@simcube/contract/autoflow';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Pill } from '../../../ui/card/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { SafeText } from '../../../ui/safe-text/index.ts';
import { Time } from '../../../ui/time/index.ts';
import styles from '../autoflow.module.css';

export const useTemplateColumns = (): Column<AutoflowTemplate>[] => {
  const { t } = useTranslation();
  const { count } = useFormat();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('autoflow.fields.name'),
        width: 240,
        fixed: true,
        phone: 'heading',
        render: ({ name }, href) => (
          <Link href={href} title={name}>
            {name}
          </Link>
        ),
      },
      {
        id: 'subject',
        title: t('autoflow.templates.parts.subject'),
        width: 320,
        phone: 'line',
        render: ({ texts }) => {
          const first = languages.map((language) => texts[language]).find((text) => text !== undefined);
          return <SafeText oneLine text={first?.subject ?? ''} />;
        },
      },
      {
        id: 'languages',
        title: t('autoflow.templates.languages'),
        width: 260,
        phone: 'line',
        render: ({ texts }) => (
          <span className={styles['pills']}>
            {languages
              .filter((language) => texts[language])
              .map((language) => (
                <Pill key={language}>{t(`common.languages.${language}`)}</Pill>
              ))}
          </span>
        ),
      },
      {
        id: 'rules',
        title: t('autoflow.templates.rules'),
        width: 120,
        align: 'end',
        phone: 'line',
        render: ({ rules }) => count(rules),
      },
      {
        id: 'changed',
        title: t('autoflow.templates.changed'),
        width: 180,
        phone: 'line',
        render: ({ updated_at: at }) => <Time at={at} />,
      },
    ],
    [t, count],
  );
};
