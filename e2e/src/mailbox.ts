import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import PostalMime from 'postal-mime';

const folder = () => join(process.env['SIMCUBE_E2E_DATA_DIR'] ?? '', 'mail');

const readMails = async (): Promise<{ to: string; text: string }[]> => {
  const names = await readdir(folder()).catch(() => [] as string[]);
  const files = names.filter((name) => name.endsWith('.eml')).toSorted((a, b) => b.localeCompare(a));
  return Promise.all(
    files.map(async (name) => {
      const { to = [], text = '' } = await PostalMime.parse(await readFile(join(folder(), name)));
      return { to: to[0]?.address ?? '', text };
    }),
  );
};

/** The link in the newest email to an address: without SMTP settings, emails are files in the data directory. */
export const linkMailedTo = async (address: string): Promise<string> => {
  let link: string | undefined;
  await expect(async () => {
    const found = (await readMails()).find(({ to }) => to === address);
    link = /https?:\/\/\S+#\S+/.exec(found?.text ?? '')?.[0];
    expect(link).toBeDefined();
  }).toPass({ timeout: 20_000 });
  return link ?? '';
};
