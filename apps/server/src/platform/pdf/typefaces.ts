import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Language } from '@simcube/contract';
import type { Font, Glyph, GlyphPosition } from 'fontkit';

export type Weight = 'regular' | 'bold';

/** One cut of a typeface, as it is embedded. */
export interface Cut {
  /** Its PostScript name, under which pdfkit knows it. */
  name: string;
  font: Font;
}

/** How one character is set. */
export interface Letter {
  /** Name of the cut that has it. */
  cut: string;
  /** Its width in sizes. */
  advance: number;
}

/** Typefaces of one document: for each character the first that has it. */
export interface Typefaces {
  cuts: readonly Cut[];
  /** Undefined when none of them has the character. */
  letterOf(character: string, weight: Weight): Letter | undefined;
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
  family: Family;
  weight: Weight;
}

/**
 * Reads what `text` needs, no more: a Chinese family has 20 MB, and most documents in English need none. Nothing is kept
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
  return { cuts: loaded, letterOf: rememberLetters(loaded, language) };
};

/** Marks that Latin and Chinese write with one code point; in Chinese they are as wide as its characters. */
const sharedMark = /[‘’“”…—]/;

/** Typefaces are slow to ask: each character is asked for once. */
const rememberLetters = (cuts: readonly LoadedCut[], language: Language): Typefaces['letterOf'] => {
  const letters = new Map<string, Letter | undefined>();
  const isChinese = language.startsWith('zh');
  const find = (character: string, weight: Weight): Letter | undefined => {
    const able = cuts.filter((one) => one.weight === weight && has(one.font, character));
    const cut = isChinese && sharedMark.test(character) ? (able.find(isNotLatin) ?? able[0]) : able[0];
    if (!cut) return undefined;
    const glyph = cut.font.glyphForCodePoint(character.codePointAt(0) ?? 0);
    return { cut: cut.name, advance: glyph.advanceWidth / cut.font.unitsPerEm };
  };
  return (character, weight) => {
    const key = `${weight} ${character}`;
    if (!letters.has(key)) letters.set(key, find(character, weight));
    return letters.get(key);
  };
};

const isNotLatin = ({ family }: LoadedCut): boolean => family !== 'inter';

const loadCut = async (family: Family, weight: Weight): Promise<LoadedCut> => {
  const content = await readFile(resolve(files[family][weight]));
  // Read with the first document only: it is much code, and most processes make none.
  const { create } = await import('fontkit');
  const font = create(content);
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${files[family][weight]} is no single typeface`);
  font.layout = (text) => new PlainRun(font, text) as unknown as ReturnType<Font['layout']>;
  return { name: font.postscriptName, font, family, weight };
};

/**
 * Each character by its own glyph, as wide as it was measured: what a typeface would substitute and kern costs a hundred
 * times as much to find, and addresses are easier to read with their dots apart.
 */
class PlainRun {
  readonly glyphs: Glyph[];
  readonly positions: GlyphPosition[];

  constructor(font: Font, text: string) {
    this.glyphs = [...text].map((character) => font.glyphForCodePoint(character.codePointAt(0) ?? 0));
    this.positions = this.glyphs.map(({ advanceWidth }) => ({
      ...{ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 },
    }));
  }

  /** Of the positions as they are by then: pdfkit scales them in place. */
  get advanceWidth(): number {
    return this.positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
  }
}

const has = (font: Font, character: string): boolean =>
  font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
