import { inflateSync } from 'node:zlib';

export interface ReadPdf {
  pages: number;
  /** All shown text, in the order of the file, as copied from a reader. */
  text: string;
  /** The same page by page. */
  pageTexts: readonly string[];
  /** Contents of embedded files. */
  embedded: readonly string[];
  /** Number of shown glyphs for missing characters (.notdef). */
  missing: number;
  /** Octets of uncompressed objects: the catalogue, the information, the structure. */
  plain: string;
}

/**
 * Reads a document to the extent needed for our own: one content stream per page, text in embedded fonts with
 * two octets per glyph (ISO 32000-1, 9.7), each with its map to characters (9.10.3).
 */
export const readPdf = (file: Buffer): ReadPdf => {
  const objects = new Map<string, string>();
  const raw = file.toString('latin1');
  for (const [, id = '', body = ''] of raw.matchAll(/(\d+) 0 obj\r?\n([\s\S]*?)\r?\nendobj/g)) {
    objects.set(id, body);
  }
  const all = [...objects.values()];
  const fonts = new Map<string, Map<string, string>>();
  for (const body of all) {
    for (const [, name = '', id = ''] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1] ?? '';
      fonts.set(name, charactersOf(contentOf(objects.get(map) ?? '')));
    }
  }
  const contents = all.map(contentOf).filter((content) => / Tf\b/.test(content));
  const pages = contents.map((content) => glyphsOf(content, fonts));
  const shown = pages.flat();
  const textOf = (glyphs: typeof shown) => glyphs.map(({ character }) => character).join('');
  return {
    pages: all.filter((body) => /\/Type \/Page\b/.test(body)).length,
    text: textOf(shown),
    pageTexts: pages.map(textOf),
    embedded: all
      .filter((body) => body.includes('/Type /EmbeddedFile'))
      .map((body) => Buffer.from(contentOf(body), 'latin1').toString()),
    missing: shown.filter(({ code }) => code === '0000').length,
    plain: raw,
  };
};

const contentOf = (body: string): string => {
  const begin = body.indexOf('stream\n');
  const length = /\/Length (\d+)/.exec(body)?.[1];
  if (begin < 0 || length === undefined) return '';
  const from = begin + 'stream\n'.length;
  const stream = body.slice(from, from + Number(length));
  if (!body.includes('/FlateDecode')) return stream;
  return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
};

/** `<0000> <00ff> [<0000> <0041> …]`: the characters of a range of codes. */
const charactersOf = (map: string): Map<string, string> => {
  const characters = new Map<string, string>();
  for (const [, from = '', list = ''] of map.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi)) {
    for (const [index, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]*)>/gi)].entries()) {
      const code = (Number.parseInt(from, 16) + index).toString(16).padStart(4, '0');
      characters.set(code, Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'));
    }
  }
  return characters;
};

const glyphsOf = (content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>) => {
  let font: ReadonlyMap<string, string> | undefined;
  const shown: { code: string; character: string }[] = [];
  for (const [, name, array = ''] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (name !== undefined) font = fonts.get(name);
    for (const [, hex = ''] of array.matchAll(/<([0-9a-f]+)>/gi)) {
      for (const code of hex.match(/.{4}/g) ?? [])
        shown.push({ code, character: font?.get(code) ?? '\uFFFD' });
    }
  }
  return shown;
};
