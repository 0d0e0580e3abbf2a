import data from './commands.json';
import { IS_MAC, parsed, matches, shown, type Press, type Scope } from './keys';

export type CommandId = keyof typeof data.commands;

/** What the data says of a command, of which only the label and the keys are always there. */
interface Entry {
  label: string;
  keys: readonly string[];
  /** The system's own key for it, in the menu of the window. */
  accelerator?: string;
  /** Where macOS differs. */
  mac?: { keys?: readonly string[]; accelerator?: string; menu?: boolean };
  /** false: even with Ctrl, its keys belong to the field in which somebody types. */
  typing?: boolean;
  /** Over a review, too. */
  everywhere?: boolean;
  /** Over a dialog, too, which shows what it is about. */
  dialogs?: boolean;
  /** Again and again as long as the key is held. */
  repeat?: boolean;
}

const entries: Record<CommandId, Entry> = data.commands;

export const menus: readonly { label: string; items: readonly string[] }[] = data.menus;
export const ids = Object.keys(entries) as CommandId[];

export function isCommand(id: unknown): id is CommandId {
  return typeof id === 'string' && Object.hasOwn(entries, id);
}

const presses = new Map<CommandId, readonly Press[]>(
  ids.map((id) => [id, ((IS_MAC && entries[id].mac?.keys) || entries[id].keys).map(parsed)]),
);

export function pressesOf(id: CommandId): readonly Press[] {
  return presses.get(id) ?? [];
}

export function labelOf(id: CommandId): string {
  return entries[id].label;
}

/** Whether its keys with Ctrl or Cmd work while somebody types. */
export function worksWhileTyping(id: CommandId): boolean {
  return entries[id].typing ?? true;
}

export function worksEverywhere(id: CommandId): boolean {
  return entries[id].everywhere ?? false;
}

export function worksInDialogs(id: CommandId): boolean {
  return worksEverywhere(id) || (entries[id].dialogs ?? false);
}

export function repeats(id: CommandId): boolean {
  return entries[id].repeat ?? false;
}

/** Whether an event is a key of a command, in one place of the window; without one, anywhere. */
export function isKeyOf(id: CommandId, event: KeyboardEvent, scope?: Scope): boolean {
  return pressesOf(id).some((press) => press.scope === scope && matches(press, event));
}

/** The keys of a command as they are shown: the first of them, or all of them. */
export function keysOf(id: CommandId): string[][] {
  return pressesOf(id).map(shown);
}

/** Its first key, in one piece. */
export function keyOf(id: CommandId): string {
  return (keysOf(id)[0] ?? []).join(IS_MAC ? '' : ' ');
}

/** What a button says of itself on hover: its name and its key. */
export function hintOf(id: CommandId, label = labelOf(id)): string {
  return `${label} (${keyOf(id)})`;
}
