/** Letters after an operator's name: its radios in addition to LTE. G: GSM, N: NB-IoT, M: LTE-M, 5: NR standalone. */
type Radios = string;

export interface CountryRow {
  code: string;
  region: 'europe' | 'north-america' | 'south-america' | 'asia' | 'oceania' | 'africa';
  operators: readonly (readonly [mcc: string, mnc: string, name: string, radios: Radios])[];
  cities: readonly (readonly [name: string, latitude: number, longitude: number])[];
}

/** Real networks (ITU-T E.212 codes) and real places; neighbouring countries are adjacent, and trucks move along the list. */
export const countryTable: readonly CountryRow[] = [
  {
    code: 'PT',
    region: 'europe',
    operators: [
      ['268', '01', 'Vodafone Portugal', 'GNM5'],
      ['268', '03', 'NOS', 'GNM5'],
      ['268', '06', 'MEO', 'GNM'],
    ],
    cities: [
      ['Lisbon', 38.7223, -9.1393],
      ['Porto', 41.1579, -8.6291],
    ],
  },
  {
    code: 'ES',
    region: 'europe',
    operators: [
      ['214', '07', 'Movistar', 'GNM5'],
      ['214', '01', 'Vodafone España', 'GNM5'],
      ['214', '03', 'Orange España', 'GNM5'],
    ],
    cities: [
      ['Madrid', 40.4168, -3.7038],
      ['Barcelona', 41.3874, 2.1686],
      ['Valencia', 39.4699, -0.3763],
      ['Sevilla', 37.3891, -5.9845],
      ['Bilbao', 43.263, -2.935],
    ],
  },
  {
    code: 'FR',
    region: 'europe',
    operators: [
      ['208', '01', 'Orange France', 'GM5'],
      ['208', '10', 'SFR', 'GN5'],
      ['208', '20', 'Bouygues Telecom', 'GM5'],
    ],
    cities: [
      ['Paris', 48.8566, 2.3522],
      ['Lyon', 45.764, 4.8357],
      ['Toulouse', 43.6047, 1.4442],
    ],
  },
  {
    code: 'BE',
    region: 'europe',
    operators: [
      ['206', '01', 'Proximus', 'GNM5'],
      ['206', '10', 'Orange Belgium', 'GNM5'],
    ],
    cities: [
      ['Brussels', 50.8503, 4.3517],
      ['Antwerp', 51.2194, 4.4025],
    ],
  },
  {
    code: 'NL',
    region: 'europe',
    operators: [
      ['204', '08', 'KPN', 'GM5'],
      ['204', '04', 'Vodafone NL', 'GN5'],
    ],
    cities: [
      ['Amsterdam', 52.3676, 4.9041],
      ['Rotterdam', 51.9244, 4.4777],
    ],
  },
  {
    code: 'GB',
    region: 'europe',
    operators: [
      ['234', '10', 'O2 UK', 'GM5'],
      ['234', '15', 'Vodafone UK', 'GN5'],
      ['234', '30', 'EE', 'GNM5'],
    ],
    cities: [
      ['London', 51.5074, -0.1278],
      ['Manchester', 53.4808, -2.2426],
    ],
  },
  {
    code: 'DE',
    region: 'europe',
    operators: [
      ['262', '01', 'Telekom Deutschland', 'GNM5'],
      ['262', '02', 'Vodafone Deutschland', 'GNM5'],
      ['262', '03', 'O2 Deutschland', 'GN5'],
    ],
    cities: [
      ['Berlin', 52.52, 13.405],
      ['Hamburg', 53.5511, 9.9937],
      ['Munich', 48.1351, 11.582],
    ],
  },
  {
    code: 'CH',
    region: 'europe',
    operators: [
      ['228', '01', 'Swisscom', 'NM5'],
      ['228', '02', 'Sunrise', 'NM5'],
    ],
    cities: [
      ['Zurich', 47.3769, 8.5417],
      ['Geneva', 46.2044, 6.1432],
    ],
  },
  {
    code: 'IT',
    region: 'europe',
    operators: [
      ['222', '01', 'TIM', 'GN5'],
      ['222', '10', 'Vodafone Italia', 'GN5'],
      ['222', '88', 'WindTre', 'GN5'],
    ],
    cities: [
      ['Milan', 45.4642, 9.19],
      ['Rome', 41.9028, 12.4964],
    ],
  },
  {
    code: 'PL',
    region: 'europe',
    operators: [
      ['260', '01', 'Plus', 'GN5'],
      ['260', '02', 'T-Mobile Polska', 'GN5'],
    ],
    cities: [
      ['Warsaw', 52.2297, 21.0122],
      ['Krakow', 50.0647, 19.945],
    ],
  },
  {
    code: 'SE',
    region: 'europe',
    operators: [
      ['240', '01', 'Telia', 'GNM5'],
      ['240', '07', 'Tele2', 'GNM5'],
    ],
    cities: [
      ['Stockholm', 59.3293, 18.0686],
      ['Gothenburg', 57.7089, 11.9746],
    ],
  },
  {
    code: 'US',
    region: 'north-america',
    operators: [
      ['310', '410', 'AT&T', 'M5'],
      ['310', '260', 'T-Mobile US', 'GN5'],
      ['311', '480', 'Verizon', 'NM5'],
    ],
    cities: [
      ['Chicago', 41.8781, -87.6298],
      ['Dallas', 32.7767, -96.797],
      ['Atlanta', 33.749, -84.388],
    ],
  },
  {
    code: 'CA',
    region: 'north-america',
    operators: [
      ['302', '720', 'Rogers', 'GM5'],
      ['302', '610', 'Bell Canada', 'M5'],
    ],
    cities: [
      ['Toronto', 43.6532, -79.3832],
      ['Montreal', 45.5017, -73.5673],
    ],
  },
  {
    code: 'MX',
    region: 'north-america',
    operators: [
      ['334', '020', 'Telcel', 'GM5'],
      ['334', '050', 'AT&T México', 'NM5'],
    ],
    cities: [
      ['Mexico City', 19.4326, -99.1332],
      ['Monterrey', 25.6866, -100.3161],
    ],
  },
  {
    code: 'BR',
    region: 'south-america',
    operators: [
      ['724', '05', 'Claro Brasil', 'GNM5'],
      ['724', '06', 'Vivo', 'GNM5'],
      ['724', '03', 'TIM Brasil', 'GN5'],
    ],
    cities: [
      ['São Paulo', -23.5505, -46.6333],
      ['Rio de Janeiro', -22.9068, -43.1729],
    ],
  },
  {
    code: 'CN',
    region: 'asia',
    operators: [
      ['460', '00', 'China Mobile', 'GN5'],
      ['460', '01', 'China Unicom', 'N5'],
      ['460', '11', 'China Telecom', 'N5'],
    ],
    cities: [
      ['Shanghai', 31.2304, 121.4737],
      ['Shenzhen', 22.5431, 114.0579],
    ],
  },
  {
    code: 'TW',
    region: 'asia',
    operators: [
      ['466', '92', 'Chunghwa Telecom', 'N5'],
      ['466', '97', 'Taiwan Mobile', 'N5'],
      ['466', '01', 'Far EasTone', 'NM5'],
    ],
    cities: [
      ['Taipei', 25.033, 121.5654],
      ['Kaohsiung', 22.6273, 120.3014],
    ],
  },
  {
    code: 'JP',
    region: 'asia',
    operators: [
      ['440', '10', 'NTT Docomo', 'M5'],
      ['440', '20', 'SoftBank', 'NM5'],
    ],
    cities: [
      ['Tokyo', 35.6762, 139.6503],
      ['Osaka', 34.6937, 135.5023],
    ],
  },
  {
    code: 'SG',
    region: 'asia',
    operators: [
      ['525', '01', 'Singtel', 'NM5'],
      ['525', '05', 'StarHub', 'N5'],
    ],
    cities: [['Singapore', 1.3521, 103.8198]],
  },
  {
    code: 'AU',
    region: 'oceania',
    operators: [
      ['505', '01', 'Telstra', 'NM5'],
      ['505', '02', 'Optus', 'NM5'],
    ],
    cities: [
      ['Sydney', -33.8688, 151.2093],
      ['Melbourne', -37.8136, 144.9631],
    ],
  },
  {
    code: 'ZA',
    region: 'africa',
    operators: [
      ['655', '01', 'Vodacom', 'GN5'],
      ['655', '10', 'MTN', 'GN5'],
    ],
    cities: [
      ['Johannesburg', -26.2041, 28.0473],
      ['Cape Town', -33.9249, 18.4241],
    ],
  },
];
