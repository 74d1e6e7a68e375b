import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Outcome {
  output: string;
  errors: string;
  code: number;
}

/** @returns undefined if the program is not installed */
const run = (program: string, ...options: string[]): Promise<Outcome | undefined> =>
  new Promise((resolve) => {
    execFile(program, options, { maxBuffer: 64 * 1024 * 1024 }, (error, output, errors) => {
      const code = error?.code ?? 0;
      resolve(code === 'ENOENT' ? undefined : { output, errors, code: Number(code) });
    });
  });

/** A warning of some builds of mutool about themselves. */
const ownWarning = 'warning: ICC support is not available\n';

/**
 * What independent programs, as far as installed (qpdf, mutool), find wrong with a document, and its text by
 * page from pdftotext; `readPdf` reads it in any case.
 */
export const checkPdf = async (
  file: Buffer,
): Promise<{ problems: string[]; pageTexts: string[] | undefined }> => {
  const directory = await mkdtemp(join(tmpdir(), 'simcube-pdf-'));
  const path = join(directory, 'judged.pdf');
  try {
    await writeFile(path, file);
    const results = await Promise.all([
      run('qpdf', '--check', path),
      run('mutool', 'draw', '-q', '-F', 'text', '-o', join(directory, 'text'), path),
    ]);
    const text = await run('pdftotext', '-layout', path, '-');
    return {
      problems: results.flatMap((result) => {
        const errors = result?.errors.replace(ownWarning, '');
        return result && (result.code !== 0 || errors !== '') ? [`${result.output}${errors}`] : [];
      }),
      pageTexts: text?.output.split('\f').slice(0, -1),
    };
  } finally {
    await rm(directory, { recursive: true });
  }
};
