import type { consoleBundle } from './en-US/console.ts';
import type { deferredBundle } from './en-US/deferred.ts';
import type { errors } from './en-US/errors.ts';
import type { bundle } from './en-US/index.ts';
import type { publicBundle } from './en-US/public.ts';

/** en-US is the type of every other language: a missing or an extra key does not compile. */
export type Phrases = typeof bundle;
export type PublicPhrases = typeof publicBundle;
export type ErrorPhrases = { [K in keyof typeof errors]: string };
export type ConsolePhrases = typeof consoleBundle;
export type DeferredPhrases = typeof deferredBundle;

type Leaves<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Leaves<T[K]>}`;
}[keyof T & string];

/** `errors.sessionExpired`, `shell.menu.dashboard`, … */
export type PhraseKey = Leaves<Phrases>;

/** All phrases that the console loads. */
export type ScreenPhrases = PublicPhrases & ConsolePhrases & DeferredPhrases;
export type ScreenPhraseKey = Leaves<ScreenPhrases>;
export type PhraseValues = Readonly<Record<string, string | number>>;
