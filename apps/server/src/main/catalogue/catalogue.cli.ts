import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { gatewayCatalogue, type SecretReference } from '../../modules/aaa/index.ts';
import { operatorActor } from '../../modules/audit/index.ts';
import { bundleCatalogue } from '../../modules/bundle/index.ts';
import { poolCatalogue } from '../../modules/pool/index.ts';
import { tariffCatalogue, zoneCatalogue } from '../../modules/price/index.ts';
import type { CatalogueChange, CataloguePart } from '../../platform/catalogue/index.ts';
import { type CliContext, jsonOption, secretOf, using } from '../../platform/cli/index.ts';
import { environmentValue } from '../../platform/env/index.ts';
import { closedVault, type Vault } from '../../platform/secrets/index.ts';
import { catalogueJsonSchema, readCatalogue, readCatalogueFile, writeCatalogue } from './catalogue.file.ts';
import { currentCatalogue, isRefused, runCatalogue } from './catalogue.service.ts';

export interface CatalogueContext extends CliContext {
  vault: Vault;
}

interface OutputOptions {
  json: boolean;
}

/** The lists of a catalogue file, in the order in which they are applied. */
const partsOf = (vault: Vault): readonly CataloguePart[] =>
  [
    bundleCatalogue,
    zoneCatalogue,
    tariffCatalogue,
    poolCatalogue,
    gatewayCatalogue({ vault, readReference }),
  ] as const;

const readReference = async (reference: SecretReference): Promise<string> => {
  if ('file' in reference) return secretOf(await readFile(reference.file, 'utf8'));
  const value = environmentValue(reference.env);
  if (value === undefined) throw new Error(`The environment variable ${reference.env} is not set`);
  return value;
};

/** `simcube catalogue …`: the operator's catalogue as a file. */
export const catalogueCommands = (program: Command, open: () => Promise<CatalogueContext>): void => {
  const catalogue = program
    .command('catalogue')
    .description('Manage bundles, zones, tariffs, pools and gateways as one file');

  catalogue
    .command('plan <file>')
    .description(
      'Show what applying a catalogue file (YAML) would create, change and refuse (exit code 1), without applying it',
    )
    .option(...jsonOption)
    .action((file: string, options: OutputOptions) => run(open, { file, plan: true, ...options }));

  catalogue
    .command('apply <file>')
    .description('Apply a catalogue file (YAML), completely or not at all; applying it again changes nothing')
    .option(...jsonOption)
    .action((file: string, options: OutputOptions) => run(open, { file, plan: false, ...options }));

  catalogue
    .command('export')
    .description('Export the current catalogue as YAML, without secrets')
    .option(...jsonOption)
    .action((options: OutputOptions) =>
      using(open, async ({ pool, vault }) => {
        const current = await currentCatalogue(pool, partsOf(vault));
        console.info(options.json ? JSON.stringify(current) : writeCatalogue(current).trimEnd());
      }),
    );

  catalogue
    .command('schema')
    .description('Print the JSON Schema of the file, for editors')
    .action(() => {
      // Neither the database nor the key is needed.
      const parts = partsOf(closedVault(new Error('The schema contains no secrets')));
      console.info(JSON.stringify(catalogueJsonSchema(parts), null, 2));
    });
};

const run = async (
  open: () => Promise<CatalogueContext>,
  { file, plan, json: asJson }: OutputOptions & { file: string; plan: boolean },
): Promise<void> => {
  const text = await readCatalogueFile(file);
  await using(open, async ({ pool, vault, clock }) => {
    const parts = partsOf(vault);
    const by = { actor: operatorActor(), at: clock.now() };
    const changes = await runCatalogue(pool, { parts, catalogue: readCatalogue(text, parts), by, plan });
    const count = (kindOfChange: CatalogueChange['change']) =>
      changes.filter(({ change }) => change === kindOfChange).length;
    const refused = count('refused');
    if (asJson) console.info(JSON.stringify({ applied: !plan && refused === 0, changes }));
    else for (const line of changes.flatMap(linesOf)) console.info(line);
    if (!asJson) {
      console.info(
        `${count('made')} created, ${count('changed')} changed, ${count('unchanged')} unchanged, ${refused} refused`,
      );
    }
    if (changes.some(isRefused)) throw new Error('Nothing was applied, because something is refused');
  });
};

const signs = { made: '+', changed: '~', refused: '!' } as const;

const linesOf = ({ kind, code, change, details }: CatalogueChange): string[] =>
  change === 'unchanged'
    ? []
    : [`${signs[change]} ${kind} ${code}`, ...details.map((detail) => `    ${detail}`)];
