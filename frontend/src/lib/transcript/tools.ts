import { exactOf, membersOf, withText } from '../json/exact';
import { visibleExactly, visibleLine } from '../visible';
import { isObject, jsonOf, str } from './record';

// What tools of different agents call their main argument, most telling first.
const TELLING = [
  ...['command', 'cmd', 'script', 'pattern', 'query', 'url', 'uri', 'glob', 'symbol'],
  ...['name', 'description', 'prompt', 'title', 'subject', 'id'],
];

export function commandOf(args: unknown): string {
  if (!isObject(args)) return '';
  const command = args.command ?? args.cmd ?? args.script;
  if (Array.isArray(command)) return command.map((part) => str(part) || jsonOf(part)).join(' ');
  return str(command);
}

export function pathOf(args: unknown): string {
  if (!isObject(args)) return '';
  return str(args.path) || str(args.file_path) || str(args.filePath);
}

/** One line that says what a call does. */
export function summarize(args: unknown): string {
  if (typeof args === 'string') return visibleLine(args);
  if (!isObject(args)) return args === undefined || args === null ? '' : visibleLine(jsonOf(args));
  const command = commandOf(args);
  if (command) return visibleLine(command);
  const path = pathOf(args);
  const pattern = str(args.pattern) || str(args.query);
  if (path) return pattern ? visibleLine(`${pattern} in ${path}`) : visibleExactly(path);
  for (const key of TELLING) {
    const value = args[key];
    if (typeof value === 'string' && value !== '') return visibleLine(value);
  }
  const exact = exactOf(args);
  const [first] = exact
    ? membersOf(exact)
    : Object.entries(args).map(([name, value]) => ({ name, value: jsonOf(value) }));
  return first ? visibleLine(`${first.name}: ${first.value}`) : '';
}

const SHORT = 60;

/** Whether the one line that stands for a call holds this argument as it is. */
export function isSaid(args: unknown, argument: string): boolean {
  const isArgument = isObject(args) && !exactOf(args) && Object.values(args).includes(argument);
  return isArgument && argument.length <= SHORT && summarize(args) === argument;
}

/** The arguments to show whole, beside what has a better form of its own. One that stands there twice has no other. */
export function restOf(args: unknown, shown: readonly string[]): unknown {
  if (!isObject(args)) return args === null ? undefined : args;
  const exact = exactOf(args);
  if (exact) {
    const all = [...membersOf(exact)];
    const times = new Map<string, number>();
    for (const { name } of all) times.set(name, (times.get(name) ?? 0) + 1);
    const rest = all.filter(({ name }) => !shown.includes(name) || times.get(name) !== 1);
    if (rest.length === 0) return undefined;
    const json = `{${rest.map(({ name, value }) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
    return withText(Object.fromEntries(rest.map(({ name }) => [name, args[name]])), json);
  }
  const rest = Object.entries(args).filter(([key]) => !shown.includes(key));
  return rest.length > 0 ? Object.fromEntries(rest) : undefined;
}

/** How many lines an output has; the end of the last one begins no other. */
export function linesOf(output: string): number {
  let lines = output === '' || output.endsWith('\n') ? 0 : 1;
  for (let at = output.indexOf('\n'); at >= 0; at = output.indexOf('\n', at + 1)) lines++;
  return lines;
}

export function pretty(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value, 2);
}
