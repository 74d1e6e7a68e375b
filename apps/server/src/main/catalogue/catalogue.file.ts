import { parseDocument, stringify } from 'yaml';
import { z } from 'zod';
import type { CataloguePart } from '../../platform/catalogue/index.ts';
import { issueSentences } from '../../platform/cli/index.ts';

/** A catalogue file can't be read; the message says where. */
class CatalogueUnreadable extends Error {}

/** Far more than the largest catalogue; what is larger is none. */
const mostCharacters = 8_000_000;
const errorsShown = 5;

export type Catalogue = Record<string, unknown[]>;

/** The file as a whole: a list for each part, all of them optional. */
const catalogueSchema = (parts: readonly CataloguePart[]) =>
  z.strictObject(
    Object.fromEntries(
      parts.map(({ list, entry, most }) => [
        list,
        z.array(entry).max(most).refine(eachOnce, 'an entry is named twice').optional(),
      ]),
    ),
  );

const nameOf = (entry: unknown): unknown => {
  const { code, organisation, name } = entry as Record<'code' | 'organisation' | 'name', unknown>;
  return code ?? JSON.stringify([organisation, name]);
};
const eachOnce = (entries: readonly unknown[]): boolean =>
  new Set(entries.map(nameOf)).size === entries.length;

/** JSON Schema (2020-12) of the file, for editors. */
export const catalogueJsonSchema = (parts: readonly CataloguePart[]) => ({
  title: 'SimCube catalogue',
  ...z.toJSONSchema(catalogueSchema(parts), { io: 'input' }),
});

/**
 * Reads YAML 1.2 strictly: one document, each key once and known, no aliases.
 * @throws CatalogueUnreadable
 */
export const readCatalogue = (text: string, parts: readonly CataloguePart[]): Catalogue => {
  if (text.length > mostCharacters) throw new CatalogueUnreadable('The file is too large for a catalogue');
  const parsed = catalogueSchema(parts).safeParse(valuesOf(text) ?? {}, { reportInput: true });
  if (!parsed.success) {
    throw new CatalogueUnreadable(`The file is no catalogue:\n${issueSentences(parsed.error).join('\n')}`);
  }
  return parsed.data as Catalogue;
};

const valuesOf = (text: string): unknown => {
  const document = parseDocument(text, { strict: true, uniqueKeys: true, prettyErrors: true });
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    const lines = faults.slice(0, errorsShown).map(({ message }) => message.split('\n')[0] ?? '');
    throw new CatalogueUnreadable(`The file is not YAML:\n${lines.join('\n')}`);
  }
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof ReferenceError)
      throw new CatalogueUnreadable('The file has aliases (&, *): write each value out');
    throw error;
  }
};

/** The catalogue as a file that makes the same. */
export const writeCatalogue = (catalogue: Catalogue): string =>
  stringify(catalogue, { aliasDuplicateObjects: false, lineWidth: 0 });
