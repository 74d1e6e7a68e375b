/** The frame around the pages of the user guide. */
export const guide = {
  title: 'Guía',
  contents: 'Páginas de la guía',
  onThisPage: 'En esta página',
  inEnglish: 'La guía está escrita en inglés.',
  missing: 'La guía no tiene esa página',
  missingHint: 'Elija otra de la lista.',
  toStart: 'Ir a la primera página',
};
