import type { Attachment } from 'svelte/attachments';

interface Held {
  key: string;
  /** Which of the controls has it, and what of its text is selected. */
  at: number;
  selected: [number | null, number | null] | null;
}

let held: Held | null = null;

const CONTROLS = 'button, input, [tabindex="0"]';
const MOVES = ['focusin', 'input', 'keyup', 'pointerup'];

/**
 * The focus stays where it is in what is drawn anew under the same key: a row that is not in the log yet is taken away where that of
 * its record takes its place.
 */
export function sameFocus(key: string): Attachment<HTMLElement> {
  return (element) => {
    const controls = () => [...element.querySelectorAll<HTMLElement>(CONTROLS)];
    const note = () => {
      const at = controls().findIndex((one) => one === document.activeElement);
      const field = document.activeElement;
      const selected: Held['selected'] =
        field instanceof HTMLInputElement ? [field.selectionStart, field.selectionEnd] : null;
      if (at >= 0) held = { key, at, selected };
    };
    // What is taken away has not been left.
    const left = () => {
      queueMicrotask(() => {
        if (element.isConnected && !element.contains(document.activeElement)) held = null;
      });
    };
    if (held?.key === key) {
      const control = controls()[held.at];
      control?.focus({ preventScroll: true });
      if (held.selected && control instanceof HTMLInputElement) control.setSelectionRange(...held.selected);
    }
    for (const move of MOVES) element.addEventListener(move, note);
    element.addEventListener('focusout', left);
  };
}

/** What had it is done with. */
export function letFocusGo(): void {
  held = null;
}
