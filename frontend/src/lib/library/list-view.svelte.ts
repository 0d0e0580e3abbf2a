import { tick } from 'svelte';
import type { VirtualizerHandle } from 'virtua/svelte';
import { focusShown } from '../../ui/focus';
import type { App } from '../app.svelte';
import { isKeyOf } from '../commands/registry';
import { text } from '../text';
import type { Heading, Item } from './arrange';
import { above, isStop, step } from './cursor';
import type { Entry } from './entries';
import { Slots } from './slots';

// As many rows as a page is taken to have.
const PAGE = 10;

/** Where one is in the list, and what its keys do. One row is in the tab order; arrows move it. */
export class ListView {
  scroller = $state<HTMLElement>();
  virtual = $state<VirtualizerHandle>();
  /** The row at the top of the view, and whether a part of it is out of view. */
  private top = $state(0);
  private cut = $state(false);
  private offset = 0;
  private key = $state<string | null>(null);
  private readonly slots = new Slots(
    () => this.scroller?.querySelector('ul')?.contains(document.activeElement) ?? false,
  );

  readonly first = $derived.by(() => this.items.findIndex(isStop));
  /** The session whose row is marked. */
  readonly marked = $derived.by(() => {
    const { library, route } = this.app;
    return route.session && library.standsFor(route.session);
  });
  readonly cursor = $derived.by(
    () => [this.indexOf(this.key), this.indexOf(this.marked)].find((at) => at >= 0) ?? this.first,
  );
  /** The heading that has been scrolled past, if only in part, of the rows in view. */
  readonly heading = $derived.by((): Heading | null => {
    for (let at = Math.min(this.top, this.items.length - 1); at >= 0; at--) {
      const item = this.items[at];
      if (item?.kind === 'heading') return at < this.top || this.cut ? item : null;
    }
    return null;
  });

  constructor(
    private readonly app: App,
    private readonly onMenu: (entry: Entry, at: Element) => void,
  ) {
    let asked = this.asked;
    $effect(() => {
      if (this.asked === asked) return;
      asked = this.asked;
      // A list that stands at its beginning is laid out once: to be told so it would be at once, and then again.
      if (this.offset > 0) this.scroller?.scrollTo(0, 0);
    });
  }

  /** What the list is asked for: where it is something else, what comes first is to be seen. */
  private get asked(): string {
    const { query, shelf, order } = this.app.library;
    return JSON.stringify([query, shelf, order.group, order.sort]);
  }

  private get items(): readonly Item[] {
    return this.app.library.items;
  }

  indexOf(key: string | null): number {
    return key ? this.items.findIndex((item) => item.key === key) : -1;
  }

  /** Which row shows an item. */
  readonly slot = (_: Item, index: number): number => this.slots.of(this.items, index);

  focused(key: string): void {
    this.key = key;
    this.slots.hold(this.items, key);
  }

  readonly scrolled = (offset: number): void => {
    this.offset = offset;
    this.top = offset > 0 ? (this.virtual?.findItemIndex(offset) ?? 0) : 0;
    this.cut = offset > (this.virtual?.getItemOffset(this.top) ?? 0);
  };

  async focusAt(index: number): Promise<void> {
    const item = this.items[index];
    if (!item) return;
    this.key = item.key;
    // The first row takes its heading along.
    this.virtual?.scrollToIndex(index === this.first ? 0 : index, { align: 'nearest' });
    await tick();
    const row = `[data-key="${CSS.escape(item.key)}"]`;
    await focusShown(() => (this.key === item.key ? this.scroller?.querySelector<HTMLElement>(row) : null));
    this.uncover(index, row);
  }

  /** A range is chosen with the pointer. Its last row has the focus after that: from there keys go on with it. */
  choose(to: number, added: boolean): void {
    this.app.library.selection.range(this.items, this.cursor, to, added);
    void this.focusAt(to);
  }

  /** What stands behind the heading that stays in view comes out from there. */
  private uncover(index: number, row: string): void {
    if (!this.heading || index === this.first) return;
    const box = this.scroller?.querySelector(row)?.getBoundingClientRect();
    const covered = (this.scroller?.getBoundingClientRect().top ?? 0) + 26 - (box?.top ?? Infinity);
    if (covered > 0) this.scroller?.scrollBy(0, -covered);
  }

  readonly keys = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || !event.target.dataset.key || event.altKey) return;
    const item = this.items[this.cursor];
    const done = event.ctrlKey || event.metaKey ? this.chord(event) : this.move(event, item) || this.act(event, item);
    if (done) event.preventDefault();
  };

  private chord(event: KeyboardEvent): boolean {
    if (event.key.toLowerCase() !== 'a' || event.shiftKey) return false;
    this.app.library.selection.all(this.items);
    return true;
  }

  private move(event: KeyboardEvent, item: Item | undefined): boolean {
    const to = step(this.items, this.cursor, event.key, PAGE);
    if (to === null)
      return event.key === 'ArrowRight' || event.key === 'ArrowLeft' ? this.fold(event.key, item) : false;
    if (event.shiftKey) this.app.library.selection.range(this.items, this.cursor, to);
    void this.focusAt(to);
    return true;
  }

  /** As in a tree: to the right opens and then goes in, to the left goes out and then shuts. */
  private fold(key: string, item: Item | undefined): boolean {
    const { library } = this.app;
    if (!item) return false;
    const id = item.kind === 'session' ? item.entry.session.id : '';
    const open = item.kind === 'heading' ? item.open : library.families.isOpen(id);
    const within = item.kind === 'heading' || Boolean(item.entry.session.children);
    if (key === 'ArrowRight') {
      if (within && open) void this.focusAt(this.cursor + 1);
      else if (item.kind === 'heading') library.order.toggle(item.key);
      else if (within) void library.toggleFamily(id);
    } else if (item.kind === 'heading') {
      if (open) library.order.toggle(item.key);
    } else if (open) library.families.fold(id);
    else void this.focusAt(above(this.items, this.cursor));
    return true;
  }

  private act(event: KeyboardEvent, item: Item | undefined): boolean {
    const { deeds, library, bulk, toasts } = this.app;
    const { selection } = library;
    if (item?.kind !== 'session') return false;
    const { entry } = item;
    if (event.key === ' ') selection.toggle(item);
    else if (library.shelf === 'trash') {
      if (!isKeyOf('restore', event, 'trash')) return false;
      void this.leave(entry, () => deeds.restore(entry));
    } else if (isKeyOf('trash', event, 'list')) {
      const chosen = selection.of(this.items);
      if (chosen.length > 0) void bulk.trash(chosen);
      else if (selection.size > 0) toasts.show(text.bulk.chosen(selection.size, 0));
      else if (!entry.session.foreign) void this.leave(entry, () => deeds.moveToTrash(entry));
    } else if (
      event.target instanceof Element &&
      (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))
    ) {
      this.onMenu(entry, event.target);
    } else return false;
    return true;
  }

  /** The focus goes on to the row that takes the place of the one that left. */
  async leave(entry: Entry, action: () => Promise<void>): Promise<void> {
    const at = this.indexOf(entry.session.id);
    await action();
    await tick();
    const item = this.items[at];
    if (item === entry.item) return;
    await this.focusAt(isStop(item) ? at : (step(this.items, at - 1, 'ArrowDown', 1) ?? this.first));
  }
}
