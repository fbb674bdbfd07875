import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { encode } from 'uqr';
import type { PictureFlaw } from '../../src/platform/kernel/reference/picture-flaws.js';
import type { Hint } from '../../web/src/capture/live-looks.js';
import type { TestApi } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { buildPage, openBrowser } from '../support/browser.js';
import { withFlow } from '../support/flows.js';
import {
  documentPhoto,
  facePhoto,
  madeDocuments,
  tablePhoto,
  type Taking,
} from '../support/made-pictures.js';
import { needs } from '../support/needs.js';
import { CameraFile, Viewfinder } from '../support/page-camera.js';
import { photoFlow } from '../support/page-flow.js';
import { PagePerson } from '../support/page-person.js';

const BAD: readonly (readonly [string, Taking, PictureFlaw, Exclude<Hint, 'HOLD'>])[] = [
  ['blurred', { blur: 1.8 }, 'BLURRED', 'STILL'],
  ['dark', { light: 0.12 }, 'TOO_DARK', 'LIGHT'],
  ['grey', { contrast: 0.06 }, 'LOW_CONTRAST', 'CLOSER'],
  ['glaring', { lamp: 0.16 }, 'GLARE', 'GLARE'],
  ['cut off', { off: [0.33, 0] }, 'CUT_OFF', 'WHOLE'],
  ['small', { side: 512 }, 'LOW_RESOLUTION', 'SMALL'],
];

needs('chromium').describe('the camera of the page, before made pictures', () => {
  let t: TestApp;
  let browser: Browser;
  let operator: TestApi;
  let camera: CameraFile;

  beforeAll(async () => {
    await buildPage();
    camera = await CameraFile.make();
    await camera.show(await tablePhoto());
    [t, browser] = await Promise.all([startTestApp(), openBrowser(camera.path)]);
    const { organisationId } = await t.client();
    operator = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
    for (const kind of ['card', 'coded', 'sheet', 'face'] as const) {
      await withFlow(t, organisationId, { key: kind, ...photoFlow(kind) });
    }
  });

  afterAll(async () => {
    await browser.close();
    await t.close();
    await camera.remove();
  });

  async function before(
    kind: 'card' | 'coded' | 'sheet' | 'face',
    checks = true,
  ): Promise<[PagePerson, Viewfinder]> {
    const answer = await operator.post('/operator/kyc-sessions').send({ flowKey: kind }).expect(201);
    const { sessionId } = (answer.body as { data: { sessionId: string } }).data;
    const person = await PagePerson.opens(browser, t.url, sessionId, {
      camera: true,
      ...(!checks && { out: '**/assets/measure-*.js' }),
    });
    const { texts } = person;
    person.page.setDefaultTimeout(30_000);
    const what = {
      card: texts.document.only,
      coded: texts.document.only,
      sheet: texts.address.only,
      face: texts.selfie.only,
    }[kind];
    return [person, new Viewfinder(person, what)];
  }

  describe.each(BAD)('a %s picture of a document', (_what, taking, flaw, hint) => {
    it('is refused on the device in words that help; after three tries the best goes to a person', async () => {
      const [person, viewfinder] = await before('card');
      const { capture } = person.texts;
      for (const seed of [11, 12, 13]) {
        await camera.show(await documentPhoto('cnh', { seed, table: 'wood', ...taking }));
        await viewfinder.open();
        await viewfinder.hears(hint === 'SMALL' ? capture.LOW_RESOLUTION : capture.live[hint]);
        await viewfinder.shoot();
        if (seed < 13) expect(await viewfinder.complaint()).toBe(capture[flaw]);
      }
      await viewfinder.looksAtIt();
      await person.page.getByText(capture.checkBest).waitFor();
      await viewfinder.use();
      await person.isReceived(person.texts.document.only);
      await person.context.close();
    });

    it('is refused by the service in the same words where the page does not check', async () => {
      await camera.show(await documentPhoto('cnh', { seed: 11, table: 'wood', ...taking }));
      const [person, viewfinder] = await before('card', false);
      await viewfinder.open();
      await viewfinder.shoot();
      await viewfinder.looksAtIt();
      expect(await viewfinder.use()).toMatchObject({ ok: false, triesLeft: 2 });
      expect(await viewfinder.complaint()).toBe(person.texts.capture[flaw]);
      await person.context.close();
    });
  });

  it.each(madeDocuments)(
    'a good picture of %s is taken by itself, and by the service, at the first try',
    async (kind) => {
      await camera.show(await documentPhoto(kind, { seed: 11, table: 'wood' }));
      const isSheet = ['utilityBill', 'bankStatement', 'taxNotice', 'articles'].includes(kind);
      const [person, viewfinder] = await before(isSheet ? 'sheet' : 'card');
      await viewfinder.open();
      await viewfinder.looksAtIt();
      expect(await viewfinder.use()).toBeNull();
      await person.isReceived(isSheet ? person.texts.address.only : person.texts.document.only);
      expect(person.visit.complaints).toEqual([]);
      await person.context.close();
    },
  );

  it('a code is read live where a document has one; only then its reader is loaded', async () => {
    const { data, size } = encode('a code of a document', { border: 2 });
    const dots = data.flatMap((row, y) => row.flatMap((on, x) => (on ? `M${x} ${y}h1v1h-1z` : [])));
    const code = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="130" height="130" viewBox="0 0 ${size} ${size}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${dots.join('')}"/></svg>`,
    );
    // From so far away nothing is taken by itself.
    const far = await documentPhoto('cnhBack', { seed: 11, table: 'wood', fill: 0.15 });
    await camera.show(
      await sharp(far)
        .composite([{ input: code, left: 60, top: 60 }])
        .jpeg()
        .toBuffer(),
    );
    const asked: string[] = [];
    for (const kind of ['card', 'coded'] as const) {
      const [person, viewfinder] = await before(kind);
      person.page.on('request', (request) => asked.push(request.url()));
      await viewfinder.open();
      const { live } = person.texts.capture;
      await viewfinder.hears(kind === 'coded' ? live.CODE : live.CLOSER);
      expect(asked.some((url) => /codes-|[.]wasm/.test(url))).toBe(kind === 'coded');
      expect(person.visit.complaints).toEqual([]);
      await person.context.close();
    }
  });

  it('a good picture of a face is taken when the person wants it', async () => {
    await camera.show(await facePhoto({ seed: 12 }));
    const [person, viewfinder] = await before('face');
    await viewfinder.open();
    await viewfinder.hears(person.texts.capture.live.GOOD);
    await viewfinder.shoot();
    await viewfinder.looksAtIt();
    expect(await viewfinder.use()).toBeNull();
    await person.context.close();
  });
});
