import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Language } from '@simcube/contract';
import { create, type Font } from 'fontkit';

export type Weight = 'regular' | 'bold';

/** One cut of a typeface, as it is embedded. */
export interface Cut {
  name: string;
  content: Buffer;
}

/** Typefaces of one document: for each character the first that has it. */
export interface Typefaces {
  cuts: readonly Cut[];
  /** Name of the cut in which a character is set; undefined when none of them has it. */
  cutOf(character: string, weight: Weight): string | undefined;
}

type Family = 'inter' | 'noto-sans-sc' | 'noto-sans-tc';

const files: Record<Family, Record<Weight, string>> = {
  inter: {
    regular: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
    bold: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
  },
  'noto-sans-sc': {
    regular: '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
    bold: '@expo-google-fonts/noto-sans-sc/600SemiBold/NotoSansSC_600SemiBold.ttf',
  },
  'noto-sans-tc': {
    regular: '@expo-google-fonts/noto-sans-tc/400Regular/NotoSansTC_400Regular.ttf',
    bold: '@expo-google-fonts/noto-sans-tc/600SemiBold/NotoSansTC_600SemiBold.ttf',
  },
};

/** Characters of Chinese are drawn otherwise in Taiwan than in China: each language asks its own first. */
const familiesOf: Record<Language, readonly Family[]> = {
  'en-US': ['inter', 'noto-sans-sc', 'noto-sans-tc'],
  'es-ES': ['inter', 'noto-sans-sc', 'noto-sans-tc'],
  'zh-CN': ['inter', 'noto-sans-sc', 'noto-sans-tc'],
  'zh-TW': ['inter', 'noto-sans-tc', 'noto-sans-sc'],
};

const { resolve } = createRequire(import.meta.url);

interface LoadedCut extends Cut {
  font: Font;
  weight: Weight;
}

/**
 * Reads what `text` needs, no more: a Chinese family has 20 MB, and most reports in English need none. Nothing is kept
 * after the document, which is seldom asked for.
 */
export const loadTypefaces = async (language: Language, text: string): Promise<Typefaces> => {
  const missing = new Set(text);
  const loaded: LoadedCut[] = [];
  for (const family of familiesOf[language]) {
    if (missing.size === 0) break;
    const cuts = await Promise.all((['regular', 'bold'] as const).map((weight) => loadCut(family, weight)));
    const found = [...missing].filter((character) => cuts.every(({ font }) => has(font, character)));
    if (found.length > 0) loaded.push(...cuts);
    for (const character of found) missing.delete(character);
  }
  return {
    cuts: loaded,
    cutOf: (character, weight) =>
      loaded.find((cut) => cut.weight === weight && has(cut.font, character))?.name,
  };
};

const loadCut = async (family: Family, weight: Weight): Promise<LoadedCut> => {
  const content = await readFile(resolve(files[family][weight]));
  const font = create(content);
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${files[family][weight]} is no single typeface`);
  return { name: `${family}-${weight}`, content, font, weight };
};

const has = (font: Font, character: string): boolean =>
  font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
