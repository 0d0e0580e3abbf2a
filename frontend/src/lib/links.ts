import { visible } from './visible';

const SCHEMES = new Set(['http:', 'https:', 'mailto:']);
// Some mail programs attach files that an address names.
const MAIL_FIELDS = new Set(['subject', 'body', 'cc', 'to']);

export interface Link {
  /** What is opened: normalised, so that what is shown is what is meant. */
  url: string;
  /** Where it goes: host, or address of mail. */
  place: string;
}

/** Only absolute links to the web or to mail are links; everything else stays text. */
export function linkOf(href: string | null | undefined): Link | null {
  if (!href || href.length > 4096) return null;
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return null;
  }
  if (!SCHEMES.has(url.protocol)) return null;
  if (url.protocol === 'mailto:') return mailOf(url);
  if (!url.hostname) return null;
  // Credentials in an address serve to make it look like another one.
  url.username = '';
  url.password = '';
  return { url: url.href, place: url.host };
}

function mailOf(url: URL): Link | null {
  if (!url.pathname) return null;
  const fields = url.search.slice(1).split('&');
  url.search = fields
    .filter((field) => MAIL_FIELDS.has(safeDecode(field.split('=', 1)[0] ?? '').toLowerCase()))
    .join('&');
  return { url: url.href, place: visible(safeDecode(url.pathname)) };
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
