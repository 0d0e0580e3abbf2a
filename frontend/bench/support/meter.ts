import type { CDPSession, Page } from '@playwright/test';
import { tasksOf, threadOf, type Traced } from './tasks';

/** What the main thread of a page did, in milliseconds. */
export interface Spent {
  total: number;
  script: number;
  layout: number;
  style: number;
}

/** Asks the browser what a page costs. */
export class Meter {
  private constructor(private readonly cdp: CDPSession) {}

  static async of(page: Page): Promise<Meter> {
    const cdp = await page.context().newCDPSession(page);
    // What the thread itself did: what else the machine does at the time is not the page's doing.
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new Meter(cdp);
  }

  /** What the main thread did while something happened. */
  async during(action: () => Promise<void>): Promise<Spent> {
    const before = await this.read();
    await action();
    const after = await this.read();
    const between = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000;
    return {
      total: between('TaskDuration'),
      script: between('ScriptDuration'),
      layout: between('LayoutDuration'),
      style: between('RecalcStyleDuration'),
    };
  }

  /** Milliseconds that the main thread itself worked on the longest task while something happened. */
  async longest(action: () => Promise<void>): Promise<number> {
    const events = await this.trace(action);
    const main = events.filter((event) => event.args?.name === 'CrRendererMain').map(threadOf);
    const tasks = [...new Set(main)].flatMap((thread) => tasksOf(thread, events));
    return Math.max(0, ...tasks.map(({ worked }) => worked));
  }

  /** Milliseconds that the main thread itself worked while something happened, until a page set each of these marks. */
  async until(marks: readonly string[], action: () => Promise<void>): Promise<number[]> {
    const events = await this.trace(action);
    return marks.map((mark) => {
      const set = events.find(({ name }) => name === mark);
      if (!set) return NaN;
      const before = tasksOf(threadOf(set), events).filter(({ ts }) => ts < set.ts);
      return before.reduce((sum, { worked }) => sum + worked, 0);
    });
  }

  private async trace(action: () => Promise<void>): Promise<Traced[]> {
    const events: Traced[] = [];
    const collect = ({ value }: { value: unknown[] }) => events.push(...(value as Traced[]));
    this.cdp.on('Tracing.dataCollected', collect);
    const traceConfig = { includedCategories: ['toplevel', '__metadata', 'blink.user_timing'] };
    await this.cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
    await action();
    const complete = new Promise<void>((resolve) =>
      this.cdp.once('Tracing.tracingComplete', () => {
        resolve();
      }),
    );
    await this.cdp.send('Tracing.end');
    await complete;
    this.cdp.off('Tracing.dataCollected', collect);
    return events;
  }

  /** Waits until the main thread has next to nothing to do. */
  async rest(): Promise<void> {
    for (let idle = 0; idle < 2;) {
      const { total } = await this.during(() => pause(500));
      idle = total < 25 ? idle + 1 : 0;
    }
  }

  /** Megabytes of the heap that are in use, once what is not has been collected. */
  async heap(): Promise<number> {
    await this.cdp.send('HeapProfiler.enable');
    await this.cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.cdp.send('Runtime.getHeapUsage');
    await this.cdp.send('HeapProfiler.disable');
    return usedSize / 1_048_576;
  }

  private async read(): Promise<Map<string, number>> {
    const { metrics } = await this.cdp.send('Performance.getMetrics');
    return new Map(metrics.map(({ name, value }) => [name, value]));
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
