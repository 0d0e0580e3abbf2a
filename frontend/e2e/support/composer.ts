import { expect, type Locator, type Page } from '@playwright/test';

/** The foot of a conversation, as someone finds it who writes there. */
export class Composer {
  constructor(private readonly page: Page) {}

  get region(): Locator {
    return this.page.getByRole('region', { name: 'Message' });
  }
  get field(): Locator {
    return this.page.getByRole('textbox', { name: 'Message to the model' });
  }
  get sendButton(): Locator {
    return this.page.getByTestId('send');
  }
  get stop(): Locator {
    return this.page.getByRole('button', { name: 'Stop' });
  }
  get queued(): Locator {
    return this.page.getByTestId('queued');
  }
  /** The answer that is not in the log yet, and the message before it. */
  get live(): Locator {
    return this.page.getByTestId('live');
  }
  get said(): Locator {
    return this.page.getByTestId('live-said');
  }
  get failure(): Locator {
    return this.page.getByTestId('failure');
  }
  get retry(): Locator {
    return this.page.getByRole('button', { name: 'Retry' });
  }
  get model(): Locator {
    return this.page.getByTestId('model');
  }
  /** What is read out of how an answer goes. */
  get spoken(): Locator {
    return this.page.getByTestId('spoken');
  }

  async send(text: string): Promise<void> {
    await this.field.fill(text);
    await this.field.press('Enter');
    await expect(this.field).toHaveValue('');
  }
}
