/** The frame around the pages of the user guide. */
export const guide = {
  title: 'Guide',
  contents: 'Pages of the guide',
  onThisPage: 'On this page',
  inEnglish: 'The guide is written in English.',
  missing: 'The guide has no such page',
  missingHint: 'Choose another one from the list.',
  toStart: 'Go to the first page',
};
