import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { PagePerson } from './page-person.js';

/** The view of a browser's camera: a file that Chromium reads anew whenever the camera is opened. */
export class CameraFile {
  private constructor(private readonly folder: string) {}

  static async make(): Promise<CameraFile> {
    return new CameraFile(await mkdtemp(join(tmpdir(), 'camera-')));
  }

  get path(): string {
    return join(this.folder, 'seen.mjpeg');
  }

  /** From now on the camera sees this picture, or these one after the other; JPEG. */
  async show(...pictures: readonly Buffer[]): Promise<void> {
    const fresh = join(this.folder, 'fresh.mjpeg');
    await writeFile(fresh, Buffer.concat(pictures.length > 1 ? pictures : [...pictures, ...pictures]));
    await rename(fresh, this.path);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** Somebody before the viewfinder of one file of a step. */
export class Viewfinder {
  constructor(
    private readonly person: PagePerson,
    private readonly what: string,
  ) {}

  private get page(): Page {
    return this.person.page;
  }

  private get box(): ReturnType<Page['locator']> {
    return this.page.getByRole('region', { name: this.what, exact: true });
  }

  /** Opens the camera and waits until it shows something. */
  async open(): Promise<void> {
    const { texts } = this.person;
    await this.box
      .getByRole('button', { name: new RegExp(`^(${texts.capture.take}|${texts.tryAgain})`) })
      .click();
    await this.page.locator('.shutter[aria-disabled=false]').waitFor();
  }

  /** Waits for what the page says while one looks through it. */
  async hears(words: string): Promise<void> {
    await this.page.locator('.live', { hasText: words }).waitFor();
  }

  /** Presses the shutter. */
  async shoot(): Promise<void> {
    await this.page.getByRole('button', { name: this.person.texts.capture.shoot }).click();
  }

  /** Waits until the photo is there to be looked at, whoever took it. */
  async looksAtIt(): Promise<void> {
    await this.box.getByRole('button', { name: this.person.texts.capture.use }).waitFor();
  }

  /** Sends the photo, and returns what speaks against it to the service. */
  async use(): Promise<object | null> {
    // The service reads files in a process that gives way to others: on a busy machine it takes its time.
    const answer = this.page.waitForResponse('**/upload', { timeout: 60_000 });
    await this.box.getByRole('button', { name: this.person.texts.capture.use }).click();
    const { data, error } = (await (await answer).json()) as {
      data: { quality?: object } | null;
      error: { code: string } | null;
    };
    if (!data) throw new Error(`the upload is refused: ${error?.code ?? ''}`);
    return data.quality ?? null;
  }

  /** Returns what the page says about the picture before, if anything. */
  async complaint(): Promise<string> {
    const alert = this.box.getByRole('alert');
    await alert.waitFor();
    return (await alert.textContent()) ?? '';
  }
}
