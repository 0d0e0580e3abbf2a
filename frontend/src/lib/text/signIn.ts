export const signIn = {
  title: 'This page needs its token',
  lead: 'Sessions can hold anything you ever showed an agent, so the program answers only to a page that has its token.',
  how: 'Open the link that palimpsest serve printed, or paste it here.',
  field: 'Link or token',
  submit: 'Open',
  refused: 'That token was not accepted. A new one is made each time the program starts.',
} as const;
