import type { Locator, Page } from '@playwright/test';

interface Chosen {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A file as somebody chooses it. */
export const named = (name: string, content: string | Buffer, mimeType = 'image/png'): Chosen => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});

export const attach = (page: Page, ...files: Chosen[]): Promise<void> =>
  page.getByTestId('attach-input').setInputFiles(files);

/** The images that go with the message that is being written. */
export const thumbnails = (page: Page): Locator => page.getByTestId('attached').getByRole('img');
