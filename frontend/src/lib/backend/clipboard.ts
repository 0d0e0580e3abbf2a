import { app as texts } from '../text/app';
import { BackendError } from './errors';

/** The clipboard of a browser needs a secure context, and to be allowed; where it is neither, the old way may still work. */
export async function copyText(text: string): Promise<void> {
  if (!(await isWritten(text)) && !isCopied(text))
    throw new BackendError('failed', texts.noClipboard, texts.noClipboardHint);
}

async function isWritten(text: string): Promise<boolean> {
  if (!window.isSecureContext || !('clipboard' in navigator)) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

function isCopied(text: string): boolean {
  const field = document.createElement('textarea');
  const focused = document.activeElement;
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Behind an open dialog nothing can be chosen.
  (focused?.closest('dialog') ?? document.body).append(field);
  field.select();
  // Deprecated, and the only way left.
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
