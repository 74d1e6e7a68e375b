import type { Rolldown } from 'vite';

export type Bundle = Rolldown.OutputBundle;

const chunksOf = (bundle: Bundle): Rolldown.OutputChunk[] =>
  Object.values(bundle).filter((file) => file.type === 'chunk');

/**
 * The files that must arrive before modules can run, without duplicates: their chunks, the imports of those, and their styles.
 *
 * @param modules the ends of their paths, such as `/app/shell/index.ts`; if empty, the page's own entry
 */
export const filesFor = (bundle: Bundle, modules: readonly string[] = []): string[] => {
  const chunks = chunksOf(bundle);
  const files = new Set<string>();
  const take = (chunk: Rolldown.OutputChunk): void => {
    if (files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') take(imported);
    }
  };
  if (modules.length === 0) chunks.filter(({ isEntry }) => isEntry).forEach(take);
  for (const module of modules) {
    const chunk = chunks.find(({ facadeModuleId, moduleIds }) =>
      [facadeModuleId, ...moduleIds].some((id) => id?.endsWith(module)),
    );
    if (!chunk) throw new Error(`No chunk of its own has ${module}`);
    take(chunk);
  }
  return [...files];
};

/** What a page of the console needs in addition to the entry and its texts. */
export const pages = {
  login: ['/features/identity/index.ts'],
  shell: ['/app/shell/index.ts'],
  analysis: ['/features/dashboard/index.ts'],
  simCard: ['/features/sim/index.ts'],
} as const;

export const wordsOf = (language: string) => ({
  public: [`/phrases/src/${language}/public.ts`],
  console: [`/phrases/src/${language}/console.ts`],
});

export const languagesOf = (bundle: Bundle): string[] =>
  chunksOf(bundle).flatMap(
    ({ facadeModuleId }) => /\/phrases\/src\/([^/]+)\/public\.ts$/.exec(facadeModuleId ?? '')?.[1] ?? [],
  );
