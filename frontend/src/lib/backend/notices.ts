/** What is said of a conversation while nobody looks. */
export interface Notice {
  title: string;
  body: string;
  session: string;
  /** Of the same tag only the last is shown. */
  tag: string;
}

/** Where notices are shown: by the system around the window, or by the browser. */
export interface Notices {
  /** Whether they may be shown; `ask` that somebody has to be asked first, who has just pressed something. */
  readonly allowed: 'yes' | 'no' | 'ask';
  ask(): Promise<void>;
  show(notice: Notice): Promise<void>;
  /** Hears which conversation a notice that was pressed is about. Returns a function that ends it. */
  onOpen(open: (session: string) => void): () => void;
}

/** Notices of the browser. */
export function browserNotices(): Notices {
  const listeners = new Set<(session: string) => void>();
  return {
    get allowed() {
      if (!('Notification' in window) || Notification.permission === 'denied') return 'no';
      return Notification.permission === 'granted' ? 'yes' : 'ask';
    },
    ask: async () => void (await Notification.requestPermission()),
    show: ({ title, body, session, tag }) => {
      const notice = new Notification(title, { body, tag });
      notice.onclick = () => {
        window.focus();
        for (const listener of listeners) listener(session);
        notice.close();
      };
      return Promise.resolve();
    },
    onOpen: (open) => {
      listeners.add(open);
      return () => listeners.delete(open);
    },
  };
}
