import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Language } from '@simcube/contract';
import type { Font, Glyph, GlyphPosition } from 'fontkit';

export type Weight = 'regular' | 'bold';

/** One cut of a typeface, as it is embedded. */
export interface Cut {
  /** Its PostScript name, under which pdfkit registers it. */
  name: string;
  font: Font;
}

/** How a character is set. */
export interface CharacterMetrics {
  /** Name of the cut that contains it. */
  cut: string;
  /** Its width in units of the font size. */
  advance: number;
}

/** Typefaces of one document: each character uses the first that contains it. */
export interface Typefaces {
  cuts: readonly Cut[];
  /** Undefined if none of them has the character. */
  metricsOf(character: string, weight: Weight): CharacterMetrics | undefined;
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

/** Chinese characters are drawn differently in Taiwan and China: each language tries its own typeface first. */
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
 * Loads only the cuts that `text` needs: a Chinese family has 20 MB, and most English documents need none.
 * Nothing is cached between documents, which are rarely made.
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
  return { cuts: loaded, metricsOf: cachedMetrics(loaded, language) };
};

/** Punctuation that Latin and Chinese share as code points; in Chinese it is as wide as an ideograph. */
const sharedPunctuation = /[‘’“”…—]/;

/** Typeface lookups are slow: each character is looked up once. */
const cachedMetrics = (cuts: readonly LoadedCut[], language: Language): Typefaces['metricsOf'] => {
  const metrics = new Map<string, CharacterMetrics | undefined>();
  const isChinese = language.startsWith('zh');
  const find = (character: string, weight: Weight): CharacterMetrics | undefined => {
    const candidates = cuts.filter((one) => one.weight === weight && has(one.font, character));
    const cut =
      isChinese && sharedPunctuation.test(character)
        ? (candidates.find(isNotLatin) ?? candidates[0])
        : candidates[0];
    if (!cut) return undefined;
    const glyph = cut.font.glyphForCodePoint(character.codePointAt(0) ?? 0);
    return { cut: cut.name, advance: glyph.advanceWidth / cut.font.unitsPerEm };
  };
  return (character, weight) => {
    const key = `${weight} ${character}`;
    if (!metrics.has(key)) metrics.set(key, find(character, weight));
    return metrics.get(key);
  };
};

const isNotLatin = ({ family }: LoadedCut): boolean => family !== 'inter';

const loadCut = async (family: Family, weight: Weight): Promise<LoadedCut> => {
  const content = await readFile(resolve(files[family][weight]));
  // Loaded with the first document only: it is much code, and most processes make none.
  const { create } = await import('fontkit');
  const font = create(content);
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${files[family][weight]} is no single typeface`);
  font.layout = (text) => new PlainRun(font, text) as unknown as ReturnType<Font['layout']>;
  return { name: font.postscriptName, font, family, weight };
};

/**
 * Sets each character as a separate glyph with its measured width: finding substitutions and kerning would cost
 * a hundred times as much, and addresses are easier to read with their dots apart.
 */
class PlainRun {
  readonly glyphs: Glyph[];
  readonly positions: GlyphPosition[];

  constructor(font: Font, text: string) {
    this.glyphs = [...text].map((character) => font.glyphForCodePoint(character.codePointAt(0) ?? 0));
    this.positions = this.glyphs.map(({ advanceWidth }) => ({
      xAdvance: advanceWidth,
      yAdvance: 0,
      xOffset: 0,
      yOffset: 0,
    }));
  }

  /** Computed from the current positions, because pdfkit scales them in place. */
  get advanceWidth(): number {
    return this.positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
  }
}

const has = (font: Font, character: string): boolean =>
  font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
