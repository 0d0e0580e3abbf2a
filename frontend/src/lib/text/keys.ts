export const keys = {
  title: 'Keyboard',
  groups: [
    {
      name: 'Library',
      keys: [
        ['/', 'Filter'],
        ['↑ ↓', 'Move through the list'],
        ['Enter', 'Open'],
        ['F2', 'Rename'],
        ['Delete', 'Move to trash'],
        ['Shift F10', 'Menu'],
        ['Esc', 'Clear the filter'],
      ],
    },
    {
      name: 'Conversation',
      keys: [
        ['j k', 'Next and previous message'],
        ['Home End', 'Start and end'],
        ['m', 'Only what the model sees'],
        ['r', 'Write a message'],
        ['u', 'Undo the compaction in force'],
        ['c', 'Compact…'],
      ],
    },
    {
      name: 'Compaction review',
      keys: [
        ['↑ ↓', 'Move the cut, when it has the focus'],
        ['Home End', 'First and last place for it'],
        ['Ctrl Enter', 'Accept'],
        ['Esc', 'Back; the text is kept'],
      ],
    },
    {
      name: 'Message',
      keys: [
        ['Enter', 'Send'],
        ['Shift Enter', 'New line'],
        ['Esc', 'Stop the answer'],
        ['Ctrl .', 'Stop the answer, too'],
      ],
    },
    {
      name: 'Everywhere',
      keys: [
        ['n', 'New conversation'],
        ['[', 'Library'],
        [']', 'Context'],
        ['?', 'This list'],
      ],
    },
  ],
} as const;
