export const place = {
  townInCountry: '{{town}}, {{country}}',
};
