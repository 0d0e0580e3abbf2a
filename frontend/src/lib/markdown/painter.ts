import type { Colouring } from './colouring';

interface Answer {
  key: string;
  colouring: Colouring | null;
}

/** Works out colours beside the page, or where it can't, in the page, one piece at a time. */
export class Painter {
  private worker: Worker | null = null;
  private readonly asked = new Map<string, { code: string; language: string }>();

  constructor(private readonly answer: (answer: Answer) => void) {
    if (typeof Worker === 'undefined') return;
    this.worker = new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module' });
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      this.finish(data);
    };
    // A window may not let a page have one.
    this.worker.onerror = () => {
      this.worker = null;
      for (const [key, { code, language }] of this.asked) void this.paintHere(key, code, language);
    };
  }

  paint(key: string, code: string, language: string): void {
    this.asked.set(key, { code, language });
    if (this.worker) this.worker.postMessage({ key, code, language });
    else void this.paintHere(key, code, language);
  }

  private async paintHere(key: string, code: string, language: string): Promise<void> {
    const { highlight } = await import('./highlight');
    // Each in a task of its own, so that the page can draw in between.
    await new Promise((resolve) => setTimeout(resolve));
    this.finish({ key, colouring: highlight(code, language) });
  }

  private finish(answer: Answer): void {
    this.asked.delete(answer.key);
    this.answer(answer);
  }
}
