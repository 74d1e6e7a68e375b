export const place = {
  townInCountry: '{{country}} {{town}}',
};
