import { type FocusEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Toast, type ToastAction, toast, useToasts } from '../lib/toast/index.ts';
import { Link } from '../ui/link/index.ts';
import styles from './toaster.module.css';

/** Moves the focus to the messages, wherever it is. */
const key = 'F8';

/**
 * At most three messages at the bottom, announced by screen readers. They stay while one of them is hovered or focused; when a
 * focused message disappears, the focus moves on.
 */
export const Toaster = () => {
  const { t } = useTranslation();
  const toasts = useToasts();
  const region = useRef<HTMLElement>(null);
  useFocusShortcut(region);
  const handover = useFocusHandover(region, toasts);
  return (
    <section
      aria-label={t('shell.toast.region', { key })}
      aria-live="polite"
      className={styles['region']}
      onBlur={handover.onBlur}
      onFocus={handover.onFocus}
      ref={region}
    >
      {toasts.map((one) => (
        <Message key={one.id} toast={one} />
      ))}
    </section>
  );
};

const Message = ({ toast: { id, kind, text, note, link, progress, actions } }: { toast: Toast }) => {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only keep the messages in place
    <div
      className={styles['toast']}
      data-kind={kind}
      onBlur={() => toast.release(id, 'focus')}
      onFocus={() => toast.hold(id, 'focus')}
      onPointerEnter={() => toast.hold(id, 'pointer')}
      onPointerLeave={() => toast.release(id, 'pointer')}
    >
      <span aria-hidden="true" className={styles['dot']} />
      <div className={styles['content']}>
        <p className={styles['text']} role={kind === 'error' ? 'alert' : 'status'}>
          {text}
          {note === null ? null : <small className={styles['note']}>{note}</small>}
          {link === null ? null : (
            <Link className={styles['link']} href={link.href} onClick={() => toast.dismiss(id)}>
              {link.label}
            </Link>
          )}
        </p>
        {progress === null ? null : (
          <div aria-live="off" className={styles['progress']}>
            <progress aria-label={text} max={Math.max(1, progress.total)} value={progress.done} />
            <span>{progress.label}</span>
          </div>
        )}
        {actions.length > 0 ? (
          <div aria-live="off" className={styles['actions']}>
            {actions.map((action) => (
              <Action action={action} key={action.label} />
            ))}
          </div>
        ) : null}
      </div>
      <button
        aria-label={t('shell.toast.dismiss')}
        className={styles['close']}
        onClick={() => toast.dismiss(id)}
        type="button"
      >
        <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
          <path d="M3 3l10 10M13 3L3 13" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
        </svg>
      </button>
    </div>
  );
};

const Action = ({ action }: { action: ToastAction }) =>
  'href' in action ? (
    <Link className={styles['action']} href={action.href}>
      {action.label}
    </Link>
  ) : (
    <button
      aria-disabled={action.busy === true}
      className={styles['action']}
      onClick={() => {
        if (!action.busy) action.onPress();
      }}
      type="button"
    >
      {action.label}
    </button>
  );

const firstOf = (region: HTMLElement | null): HTMLElement | null =>
  region?.querySelector('a, button') ?? null;

const useFocusShortcut = (region: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const first = event.key === key ? firstOf(region.current) : null;
      if (!first) return;
      event.preventDefault();
      first.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [region]);
};

/** A focused element may disappear with its message: the focus moves to the next message, or back to where it was. */
const useFocusHandover = (region: RefObject<HTMLElement | null>, toasts: readonly Toast[]) => {
  const focused = useRef<Element | null>(null);
  const previous = useRef<Element | null>(null);
  const moveOn = useEffectEvent((): void => {
    if (!focused.current || focused.current.isConnected) return;
    focused.current = null;
    const next = firstOf(region.current) ?? previous.current;
    if (next instanceof HTMLElement) next.focus();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever a message is added or removed
  useEffect(() => moveOn(), [toasts]);
  return {
    onFocus: ({ target, relatedTarget }: FocusEvent): void => {
      const isWithin = relatedTarget instanceof Node && region.current?.contains(relatedTarget) === true;
      if (!focused.current && !isWithin) previous.current = relatedTarget;
      focused.current = target;
    },
    // The person moved the focus: React does not fire this for elements that it removes.
    onBlur: (): void => {
      focused.current = null;
    },
  };
};
