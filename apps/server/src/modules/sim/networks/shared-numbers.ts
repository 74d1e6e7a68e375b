/**
 * The list names several countries for some networks, where an operator uses one number for a country and its
 * territories, or for several islands. A record contains only the number, so each is assigned to one country,
 * that of the operator's home, by which its usage is priced, charted and covered. By MCC and MNC, else by MCC;
 * a test names new shared numbers of a newer list.
 */
export const countryOfShared: Readonly<Record<string, string>> = {
  // Operators of the Channel Islands and the Isle of Man, which the list also has under the United Kingdom.
  '234-03': 'JE',
  '234-50': 'JE',
  '234-55': 'GG',
  '234-36': 'IM',
  '234-58': 'IM',
  '234-73': 'IM',
  // Operators of the United States with territories, and of territories that the list also has under the United
  // States.
  '310-032': 'GU',
  '310-110': 'MP',
  '310-120': 'US',
  '310-140': 'GU',
  '310-260': 'US',
  '310-370': 'GU',
  '310-400': 'GU',
  '310-410': 'US',
  '310-480': 'GU',
  '311-120': 'GU',
  '311-250': 'GU',
  '311-470': 'VI',
  '311-780': 'AS',
  '338-05': 'JM',
  '338-050': 'BM',
  // The French Antilles; those of the Netherlands; Réunion and Mayotte.
  340: 'GP',
  362: 'CW',
  '362-51': 'SX',
  '362-54': 'SX',
  '362-76': 'BQ',
  '362-78': 'BQ',
  647: 'RE',
  '647-01': 'YT',
  '425-05': 'PS',
  '425-06': 'PS',
  // With Norfolk Island, whose own operator has one number.
  505: 'AU',
  '505-10': 'NF',
};
