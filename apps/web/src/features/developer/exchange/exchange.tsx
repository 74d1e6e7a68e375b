import { Button } from 'antd';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SafeText } from '../../../ui/safe-text/index.ts';
import styles from './exchange.module.css';
import { indentJson } from './indent-json.ts';

interface ExchangeProps {
  title: string;
  /** Next to the title: the method, the status. */
  aside?: ReactNode;
  /** At the right end of the title. */
  extra?: ReactNode;
  headers: Readonly<Record<string, string>> | null;
  /** Null: there is none, or it was not stored. */
  body: string | null;
  /** Shown instead of a body that is null. */
  noBodyText: string;
}

/** One direction of a request: its headers, and its body as received, with JSON indented. */
export const Exchange = ({ title, aside, extra, headers, body, noBodyText }: ExchangeProps) => (
  <section aria-label={title} className={styles['exchange']}>
    <header className={styles['header']}>
      <h3 className={styles['title']}>{title}</h3>
      {aside}
      <span className={styles['extra']}>{extra}</span>
    </header>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs keyboard access (axe: scrollable-region-focusable). */}
    <div className={styles['box']} tabIndex={0}>
      {headers && Object.keys(headers).length > 0 ? <Headers headers={headers} /> : null}
      {body === null ? (
        <p className={styles['none']}>{noBodyText}</p>
      ) : (
        <pre className={styles['body']}>
          <Body text={indentJson(body)} />
        </pre>
      )}
    </div>
  </section>
);

const Headers = ({ headers }: { headers: Readonly<Record<string, string>> }) => (
  <dl className={styles['headers']}>
    {Object.entries(headers).map(([name, value]) => (
      <Fragment key={name}>
        <dt>{`${name}:`}</dt>
        <dd>
          <SafeText text={value} />
        </dd>
      </Fragment>
    ))}
  </dl>
);

const Body = ({ text }: { text: string }) =>
  text.split('\n').map((line, index) => {
    const [, blanks = '', name, rest = line] = /^(\s*)("[^"]*":)(.*)$/.exec(line) ?? [];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text never change their order
      <Fragment key={index}>
        {index > 0 ? '\n' : null}
        {blanks}
        {name ? (
          <span className={styles['name']}>
            <SafeText text={name} />
          </span>
        ) : null}
        <SafeText text={rest} />
      </Fragment>
    );
  });

export const CopyCurl = ({ onCopy }: { onCopy: () => void }) => {
  const { t } = useTranslation();
  return (
    <Button onClick={onCopy} size="small" type="link">
      {t('developer.copyCurl')}
    </Button>
  );
};
