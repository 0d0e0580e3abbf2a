export const folder = {
  title: 'Folder',
  none: 'Without a folder the model is offered no tools.',
  some: 'The model may read there; what else it does, it asks you first.',
  field: 'Folder to work in',
  placeholder: 'Whole path of a folder',
  choose: 'Choose…',
  clear: 'No folder',
  cleared: 'No folder is chosen',
  recent: 'Used before',
  noTools: 'No tools',
  noToolsWhy: (why: string) => `No tools: ${why}`,
} as const;
