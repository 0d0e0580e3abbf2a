package states

import "palimpsest/backend/session"

// InRange tells whether line i is of those that the context is made of.
func (o *Outlook) InRange(i int) bool { return i >= o.kept && o.table.OnPath(i) }

// LastAnswer is the index of the newest answer in range, -1 if there is none.
func (o *Outlook) LastAnswer() int {
	for i := o.index.Lines.Len() - 1; i >= o.kept; i-- {
		if o.index.Lines.At(i).Kind == session.LineAssistant && o.table.OnPath(i) {
			return i
		}
	}
	return -1
}
