import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { guidePageOf, pictureFilesOf } from './guide-page.ts';

/**
 * Makes the pages of the user guide (`docs/guide/*.md`) importable as modules (`GuideFile`): parsed at build time, not in the
 * browser.
 */
export const guidePages = (): Plugin => ({
  name: 'simcube:guide-pages',
  enforce: 'pre',
  transform: {
    filter: { id: /\/docs\/guide\/[\w-]+\.md$/ },
    handler(markdown, id) {
      const page = guidePageOf(markdown);
      const files = pictureFilesOf(page);
      const imports = files.map((file, index) => `import src${index} from ${JSON.stringify(`./${file}`)};`);
      const pictures = files.map((file, index) => {
        const { width, height } = sizeOf(join(dirname(id), file));
        return `${JSON.stringify(file)}: { src: src${index}, width: ${width}, height: ${height} }`;
      });
      return {
        code: [
          ...imports,
          `export const page = ${JSON.stringify(page)};`,
          `export const pictures = { ${pictures.join(', ')} };`,
        ].join('\n'),
        map: null,
      };
    },
  },
});

/** Reads the size of a PNG from its first chunk, so that the page can reserve room for the picture before it loads. */
const sizeOf = (path: string): { width: number; height: number } => {
  const content = readFileSync(path);
  return { width: content.readUInt32BE(16), height: content.readUInt32BE(20) };
};
