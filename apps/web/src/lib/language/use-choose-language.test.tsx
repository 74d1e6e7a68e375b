import type { Language } from '@simcube/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { useToasts } from '../toast/index.ts';
import { useChooseLanguage } from './index.ts';

const Choices = ({ load }: { load: (language: Language) => Promise<void> }) => {
  const choose = useChooseLanguage(load);
  return (
    <>
      {(['es-ES', 'zh-CN'] as const).map((language) => (
        <button key={language} onClick={() => choose(language)} type="button">
          {language}
        </button>
      ))}
      <output>{useToasts().map(({ text }) => text)}</output>
    </>
  );
};

test('a language that can not be fetched leaves the page unchanged, and shows why', async () => {
  const { user, history } = renderScreen(
    <Choices load={() => Promise.reject(new TypeError('Failed to fetch'))} />,
    '/en-US/orgscreate?from=menu',
  );
  await user.click(await screen.findByRole('button', { name: 'es-ES' }));
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Network Error'));
  expect(history.location.href).toBe('/en-US/orgscreate?from=menu');
});

test('the language chosen last is shown, whichever loads first', async () => {
  let arrive = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const { user, history } = renderScreen(
    <Choices load={(language) => (language === 'es-ES' ? late : Promise.resolve())} />,
    '/en-US/orgs?page=2',
  );
  await user.click(await screen.findByRole('button', { name: 'es-ES' }));
  await user.click(screen.getByRole('button', { name: 'zh-CN' }));
  await waitFor(() => expect(history.location.href).toBe('/zh-CN/orgs?page=2'));
  arrive();
  await late;
  await new Promise((resolve) => setTimeout(resolve));
  expect(history.location.href).toBe('/zh-CN/orgs?page=2');
});
