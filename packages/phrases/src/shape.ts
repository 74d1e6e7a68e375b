import type { consoleBundle } from './en-US/console.ts';
import type { errors } from './en-US/errors.ts';
import type { bundle } from './en-US/index.ts';
import type { laterBundle } from './en-US/later.ts';
import type { publicBundle } from './en-US/public.ts';

/** en-US is the type of every other language: a missing or an extra key does not compile. */
export type Phrases = typeof bundle;
export type PublicPhrases = typeof publicBundle;
export type ErrorPhrases = { [K in keyof typeof errors]: string };
export type ConsolePhrases = typeof consoleBundle;
export type LaterPhrases = typeof laterBundle;

type Leaves<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Leaves<T[K]>}`;
}[keyof T & string];

/** `errors.sessionExpired`, `shell.menu.dashboard`, … */
export type PhraseKey = Leaves<Phrases>;

/** All phrases that the console loads. */
export type ScreenPhrases = PublicPhrases & ConsolePhrases & LaterPhrases;
export type ScreenPhraseKey = Leaves<ScreenPhrases>;
export type PhraseValues = Readonly<Record<string, string | number>>;
