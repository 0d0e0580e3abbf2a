import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase } from '@playwright/test/reporter';
import type { Figure } from './bench';

const FOLDER = fileURLToPath(new URL('../../../build/bench/', import.meta.url));

/** Puts the figures of all benches into one table, and into build/bench. */
export default class Table implements Reporter {
  private readonly figures: Figure[] = [];

  onTestEnd(test: TestCase): void {
    for (const { type, description } of test.annotations) {
      if (type === 'figure') this.figures.push(JSON.parse(description ?? '{}') as Figure);
    }
  }

  onEnd(): void {
    if (this.figures.length === 0) return;
    const rows = this.figures.map(({ what, value, unit, limit }) => [
      what,
      `${round(value)} ${unit}`,
      limit === null ? '' : `${limit} ${unit}`,
      limit === null || value <= limit ? '' : 'over',
    ]);
    const table = markdown([['what', 'measured', 'limit', ''], ...rows]);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(`${FOLDER}page.md`, table);
    writeFileSync(`${FOLDER}page.json`, JSON.stringify({ cores: cpus().length, figures: this.figures }, null, 2));
    process.stdout.write(`\nMedians, with the limit beside each:\n\n${table}\n`);
  }

  printsToStdio(): boolean {
    return false;
  }
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

function markdown(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(3, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n') + '\n';
}
