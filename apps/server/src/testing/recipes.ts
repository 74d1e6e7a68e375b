import { readFileSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../platform/env/index.ts';

const document = readFileSync(join(projectRoot, 'docs/recipes.md'), 'utf8');

/** A snippet of docs/recipes.md. */
export const recipe = (heading: string, language: string): string => {
  const section = document.split(/^## /m).find((one) => one.startsWith(heading)) ?? '';
  const code = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(section)?.[1];
  if (code === undefined) throw new Error(`docs/recipes.md has no ${language} in “${heading}”`);
  return code;
};

/** Builds a TypeScript snippet as a project of its own. @returns the path of the program */
export const buildRecipe = async (heading: string, directory: string): Promise<string> => {
  await writeFile(join(directory, 'main.ts'), recipe(heading, 'ts'));
  await symlink(join(projectRoot, 'node_modules'), join(directory, 'node_modules'));
  const outfile = join(directory, 'main.mjs');
  await build({
    entryPoints: [join(directory, 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    preserveSymlinks: false,
  });
  await rm(join(directory, 'node_modules'));
  return outfile;
};
