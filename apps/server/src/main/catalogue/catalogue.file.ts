import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { CataloguePart } from '../../platform/catalogue/index.ts';
import { issueSentences } from '../../platform/cli/index.ts';
import { readStrictYaml } from './strict-yaml.ts';

/** A catalogue file can't be read; the message says where. */
class CatalogueUnreadable extends Error {}

/** Far more than the largest catalogue; a larger file is not one. */
const maxFileBytes = 8_000_000;

export type Catalogue = Record<string, unknown[]>;

/** The whole file: a list for each part, all optional. */
const catalogueSchema = (parts: readonly CataloguePart[]) =>
  z.strictObject(
    Object.fromEntries(
      parts.map(({ list, entry, maxEntries }) => [
        list,
        z.array(entry).max(maxEntries).refine(hasNoDuplicates, 'contains an entry twice').optional(),
      ]),
    ),
  );

const nameOf = (entry: unknown): unknown => {
  const { code, organisation, name } = entry as Record<'code' | 'organisation' | 'name', unknown>;
  return code ?? JSON.stringify([organisation, name]);
};
const hasNoDuplicates = (entries: readonly unknown[]): boolean =>
  new Set(entries.map(nameOf)).size === entries.length;

/** JSON Schema (2020-12) of the file, for editors. */
export const catalogueJsonSchema = (parts: readonly CataloguePart[]) => ({
  title: 'SimCube catalogue',
  ...z.toJSONSchema(catalogueSchema(parts), { io: 'input' }),
});

/**
 * The text of a catalogue file, without its byte order mark. At most the maximum size of a catalogue is read.
 * @throws CatalogueUnreadable
 */
export const readCatalogueFile = async (path: string): Promise<string> => {
  const octets = await buffer(createReadStream(path, { end: maxFileBytes }));
  if (octets.length > maxFileBytes)
    throw new CatalogueUnreadable(`The file is too large for a catalogue: at most ${maxFileBytes} bytes`);
  if (!isUtf8(octets))
    throw new CatalogueUnreadable(`The file is not UTF-8 (line ${firstInvalidLine(octets)})`);
  return new TextDecoder().decode(octets);
};

/** The first line with octets that are not UTF-8. */
const firstInvalidLine = (octets: Buffer): number => {
  let line = 1;
  for (let from = 0; ; line += 1) {
    const end = octets.indexOf('\n', from);
    if (end === -1 || !isUtf8(octets.subarray(from, end))) return line;
    from = end + 1;
  }
};

/**
 * Reads YAML strictly: unknown keys are errors.
 * @throws CatalogueUnreadable, YamlUnreadable
 */
export const readCatalogue = (text: string, parts: readonly CataloguePart[]): Catalogue => {
  const { value, lineOf } = readStrictYaml(text);
  const parsed = catalogueSchema(parts).safeParse(value ?? {}, { reportInput: true });
  if (!parsed.success) {
    const sentences = issueSentences(parsed.error, (path) => `line ${lineOf(path)}: `);
    throw new CatalogueUnreadable(`The file is not a valid catalogue:\n${sentences.join('\n')}`);
  }
  return parsed.data as Catalogue;
};

/** The catalogue as a file that would produce it. */
export const writeCatalogue = (catalogue: Catalogue): string =>
  stringify(catalogue, { aliasDuplicateObjects: false, lineWidth: 0 });
