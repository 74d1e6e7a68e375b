import { chromium } from '@playwright/test';
import { findBrowser } from './src/browser.ts';
import { signIn, open, settled } from './src/console.ts';
const { executablePath, env } = await findBrowser();
const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env } as never, args: ['--no-sandbox', '--disable-gpu'] });
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US', timezoneId: 'Europe/Berlin' });
const page = await context.newPage();
await signIn(page);
await page.waitForTimeout(8000);
const asked: string[] = [];
page.on('request', (r) => { if (['fetch', 'xhr'].includes(r.resourceType())) asked.push(new URL(r.url()).pathname); });
const read = () => page.evaluate(() => document.querySelector('main')?.textContent?.slice(0, 400));
console.log(await read());
await page.waitForTimeout(60_000);
console.log(await read());
console.log('idle minute:', asked.length, asked);
// what the server says now
await page.screenshot({ path: '/tmp/shots/live/dashboard.png' });
asked.length = 0;
await open(page, 'simCard'); await settled(page); await page.waitForTimeout(3000); asked.length = 0;
await page.waitForTimeout(30_000);
console.log('list, 30 s:', asked.length, [...new Set(asked)].map((p) => `${p} ${asked.filter((x) => x === p).length}`));
await context.setOffline(true);
await page.waitForTimeout(2500);
await page.screenshot({ path: '/tmp/shots/live/list-offline.png' });
for (const [w, h] of [[1024, 768], [390, 844]]) { await page.setViewportSize({ width: w, height: h }); await page.waitForTimeout(400); await page.screenshot({ path: `/tmp/shots/live/list-offline-${w}.png` }); }
await page.emulateMedia({ colorScheme: 'dark' });
await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
await page.setViewportSize({ width: 1440, height: 900 });
await page.waitForTimeout(400);
await page.screenshot({ path: '/tmp/shots/live/list-offline-dark.png' });
await context.setOffline(false);
await page.waitForTimeout(4000);
await page.screenshot({ path: '/tmp/shots/live/list-back.png' });
for (const language of ['es-ES', 'zh-CN', 'zh-TW']) {
  await open(page, '', language); await page.waitForTimeout(5000);
  await context.setOffline(true); await page.waitForTimeout(2500);
  await page.screenshot({ path: `/tmp/shots/live/dashboard-${language}.png` });
  await context.setOffline(false); await page.waitForTimeout(1000);
}
await browser.close();
