import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../platform/log/index.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { createGeocoder } from './geocode.service.ts';

let server: TestApp;
let client: TestClient;
beforeAll(async () => {
  server = await testApp();
  client = await signedInAs(server, 'user', await makeOrganisation(server, { code: 'places' }));
});
afterAll(() => server.close());

const reverseGeocode = (longitude: number, latitude: number, language = 'en-US') =>
  client.call(
    endpoints.place.reverse,
    { query: { longitude: String(longitude), latitude: String(latitude) } },
    { headers: { 'accept-language': language } },
  );

describe('reverse geocoding', () => {
  it.each([
    ['Kehl, on the German side of the Rhine', 7.815, 48.573, 'DE', 'Kehl'],
    ['Juárez, across the river from El Paso', -106.46, 31.72, 'MX', 'Juárez'],
    ['Hong Kong, a territory', 114.15, 22.28, 'HK', 'Central'],
    ['San Juan, of a territory', -66.11, 18.46, 'PR', 'San Juan'],
    ['the middle of the Sahara, without a town near', 5.0, 25.0, 'DZ', null],
    ['the Atlantic', -40, 30, null, null],
  ])('knows %s', async (_, longitude, latitude, country, town) => {
    const { body } = await reverseGeocode(longitude, latitude);
    expect(body.data).toMatchObject({ country, town });
  });

  it.each([
    ['en-US', 'Madrid, Spain'],
    ['es-ES', 'Madrid, España'],
    ['zh-CN', '西班牙 Madrid'],
    ['zh-TW', '西班牙 Madrid'],
  ])('names places in %s', async (language, name) => {
    expect((await reverseGeocode(-3.7035, 40.4165, language)).body.data.name).toBe(name);
  });

  it.each([
    { longitude: '181', latitude: '0' },
    { longitude: '0', latitude: '-90.1' },
    { longitude: '', latitude: '0' },
    { longitude: '0x10', latitude: '0' },
    { longitude: 'NaN', latitude: '0' },
  ])('refuses %j', async (query) => {
    const { http } = await client.call(endpoints.place.reverse, { query });
    expect(http).toBe(400);
  });
});

describe('a maps service', () => {
  const log = createLog({ level: 'silent', format: 'json' });
  const geocoded = async (listener: RequestListener) => {
    const service = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => service.once('listening', resolve));
    try {
      const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/maps`;
      const geocode = createGeocoder({ url, request: createOutbound({ allowedNetworks: ['127.0.0.1/32'] }) });
      return await geocode({ longitude: -3.7035, latitude: 40.4165 }, { language: 'es-ES', log });
    } finally {
      service.closeAllConnections();
      await new Promise((resolve) => service.close(resolve));
    }
  };

  it('names places in the language of the reader', async () => {
    const place = await geocoded((request, response) =>
      response.end(
        JSON.stringify({
          display_name: `${request.url}`,
          licence: 'ODbL',
          address: { country_code: 'es', city: 'Madrid' },
        }),
      ),
    );
    expect(place).toEqual({
      name: '/maps/reverse?format=jsonv2&zoom=10&lat=40.4165&lon=-3.7035&accept-language=es-ES',
      town: 'Madrid',
      country: 'ES',
      attribution: 'ODbL',
    });
  });

  it.each<[string, RequestListener]>([
    ['fails', (_, response) => response.writeHead(500).end()],
    ['finds nothing', (_, response) => response.end('{"error":"Unable to geocode"}')],
    ['answers something else', (_, response) => response.end('<html>')],
    ['leads elsewhere', (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end()],
  ])('that %s is done without', async (_, listener) => {
    expect((await geocoded(listener)).name).toBe('Madrid, España');
  });
});
