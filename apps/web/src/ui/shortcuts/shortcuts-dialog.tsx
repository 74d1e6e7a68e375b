import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../dialog/index.ts';
import { type Shortcut, shortcutKeys, shortcutPlaces, shortcuts } from './shortcuts.ts';
import styles from './shortcuts-dialog.module.css';

const names = Object.keys(shortcuts) as Shortcut[];

interface ShortcutsDialogProps {
  open: boolean;
  onClose: () => void;
  /** A link to more help. */
  footer?: ReactNode;
}

/** All shortcuts of the console and their functions, grouped by where they work. */
export const ShortcutsDialog = ({ open, onClose, footer }: ShortcutsDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog footer={footer} onClose={onClose} open={open} title={t('kit.shortcuts.title')} width={480}>
      {shortcutPlaces.map((place) => (
        <section aria-labelledby={`shortcuts-${place}`} key={place}>
          <h3 className={styles['place']} id={`shortcuts-${place}`}>
            {t(`kit.shortcuts.places.${place}`)}
          </h3>
          <dl className={styles['list']}>
            {names
              .filter((name) => shortcuts[name].place === place)
              .map((name) => (
                <div className={styles['line']} key={name}>
                  <dt>
                    <Keys name={name} />
                  </dt>
                  <dd>{t(`kit.shortcuts.does.${name}`)}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
};

const Keys = ({ name }: { name: Shortcut }) => (
  <>
    {shortcutKeys(name).map((keys) => (
      <Fragment key={keys.join()}>
        <span className={styles['keys']}>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>{' '}
      </Fragment>
    ))}
  </>
);
