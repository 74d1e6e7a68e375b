import { parse } from 'bowser';

export interface Device {
  /** "Chrome 143" */
  browser: string | null;
  /** "Windows 10", "Android 16" */
  system: string | null;
}

/** Browser and system as far as a user agent names them; old user agents are stored, so the text may be anything. */
export const deviceOf = (userAgent: string | null): Device => {
  if (userAgent === null || userAgent.trim() === '') return { browser: null, system: null };
  const { browser, os } = parse(userAgent);
  return {
    browser: join(browser.name, browser.version?.split('.')[0]),
    // Windows reports a kernel version; people know the product name.
    system: join(os.name, os.name === 'Windows' ? os.versionName : os.version?.split('.')[0]),
  };
};

const join = (name: string | undefined, version: string | undefined): string | null =>
  name ? [name, version].filter(Boolean).join(' ') : null;
