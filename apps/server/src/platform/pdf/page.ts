import type { PdfDocument } from './typesetter.ts';

/** A4 in points. */
export const page = { width: 595.28, height: 841.89, margin: 48 } as const;

export const colors = {
  text: '#16191f',
  muted: '#5c6470',
  hairline: '#e1e4ea',
} as const;

/** The product's mark in a square of 32. */
const logo = [
  { color: '#6d90ff', path: 'M16 2.5 28 9.2 16 15.9 4 9.2z' },
  { color: '#2b59f0', path: 'M4 10.9 15.2 17.2v12.3L4 23.2z' },
  { color: '#1f48d1', path: 'M28 10.9 16.8 17.2v12.3L28 23.2z' },
] as const;

/** Draws decoration, which screen readers skip. */
export const drawArtifact = (doc: PdfDocument, draw: () => void): void => {
  doc.markContent('Artifact', { type: 'Layout' });
  draw();
  doc.endMarkedContent();
};

export const drawLogo = (doc: PdfDocument, { x, y, size }: { x: number; y: number; size: number }): void =>
  drawArtifact(doc, () => {
    doc
      .save()
      .translate(x, y)
      .scale(size / 32);
    for (const { path, color } of logo) doc.path(path).fill(color);
    doc.restore();
  });
