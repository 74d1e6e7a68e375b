/** Names of places. */
export const place = {
  townInCountry: '{{town}}, {{country}}',
};
