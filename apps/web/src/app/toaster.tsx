import { useTranslation } from 'react-i18next';
import { toast, useToasts } from '../lib/toast/index.ts';
import { Link } from '../ui/link/index.ts';
import styles from './toaster.module.css';

/** At most three short messages at the top; read out by screen readers as they come. */
export const Toaster = () => {
  const { t } = useTranslation();
  const toasts = useToasts();
  return (
    <section className={styles['region']} aria-label={t('shell.toast.region')} aria-live="polite">
      {toasts.map(({ id, kind, text, note, link }) => (
        <div key={id} className={styles['toast']} data-kind={kind}>
          <span className={styles['dot']} aria-hidden="true" />
          <p className={styles['text']} role={kind === 'error' ? 'alert' : undefined}>
            {text}
            {note === null ? null : <small className={styles['note']}>{note}</small>}
            {link === null ? null : (
              <Link className={styles['link']} href={link.href} onClick={() => toast.dismiss(id)}>
                {link.label}
              </Link>
            )}
          </p>
          <button
            type="button"
            className={styles['close']}
            aria-label={t('shell.toast.dismiss')}
            onClick={() => toast.dismiss(id)}
          >
            <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
              <path d="M3 3l10 10M13 3L3 13" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
            </svg>
          </button>
        </div>
      ))}
    </section>
  );
};
