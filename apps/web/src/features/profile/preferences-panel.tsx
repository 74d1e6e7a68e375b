import { languages } from '@simcube/contract';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { densities, setDensity, useDensity } from '../../lib/density/index.ts';
import { useChooseLanguage, useLanguage } from '../../lib/language/index.ts';
import { chooseTheme, themeChoices, useThemeChoice } from '../../lib/theme/index.ts';
import { setTimeDisplay, useTimeDisplay } from '../../lib/time/index.ts';
import { Card } from '../../ui/card/index.ts';
import { Segmented } from '../../ui/segmented/index.ts';
import { Select } from '../../ui/select/index.ts';
import styles from './profile.module.css';

/** Language, time, row height and theme of this browser; each takes effect immediately. */
export const PreferencesPanel = () => {
  const { t } = useTranslation();
  const language = useLanguage();
  const chooseLanguage = useChooseLanguage();
  const languageLabel = t('identity.preferences.language');
  const timeLabel = t('identity.preferences.time');
  const densityLabel = t('identity.preferences.density');
  const themeLabel = t('identity.preferences.theme');
  return (
    <Card title={t('identity.preferences.title')}>
      <p className={styles['text']}>{t('identity.preferences.text')}</p>
      <div className={styles['preferences']}>
        <PreferenceRow label={languageLabel}>
          <Select
            aria-label={languageLabel}
            onChange={chooseLanguage}
            options={languages.map((one) => ({ value: one, label: t(`common.languages.${one}`) }))}
            style={{ minWidth: 160 }}
            value={language}
          />
        </PreferenceRow>
        <PreferenceRow hint={t('identity.preferences.timeHint')} label={timeLabel}>
          <Segmented
            label={timeLabel}
            onChange={setTimeDisplay}
            options={[
              { value: 'UTC', label: t('common.time.utc') },
              { value: 'LOCAL', label: t('common.time.local') },
            ]}
            value={useTimeDisplay()}
          />
        </PreferenceRow>
        <PreferenceRow hint={t('identity.preferences.densityHint')} label={densityLabel}>
          <Segmented
            label={densityLabel}
            onChange={setDensity}
            options={densities.map((one) => ({ value: one, label: t(`kit.table.${one}`) }))}
            value={useDensity()}
          />
        </PreferenceRow>
        <PreferenceRow label={themeLabel}>
          <Segmented
            label={themeLabel}
            onChange={chooseTheme}
            options={themeChoices.map((one) => ({ value: one, label: t(`common.theme.${one}`) }))}
            value={useThemeChoice()}
          />
        </PreferenceRow>
      </div>
    </Card>
  );
};

interface PreferenceRowProps {
  label: string;
  hint?: string;
  children: ReactNode;
}

const PreferenceRow = ({ label, hint, children }: PreferenceRowProps) => {
  const id = useId();
  return (
    <div className={styles['preference']}>
      <div id={id}>
        <p>{label}</p>
        {hint ? <p className={styles['hint']}>{hint}</p> : null}
      </div>
      <div>{children}</div>
    </div>
  );
};
