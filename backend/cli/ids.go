package cli

import (
	"unicode/utf8"

	"palimpsest/backend"
)

const (
	// ulidWidth is that of our own ids, and nameLeast what a name wants of a line.
	ulidWidth = 26
	nameLeast = 30
)

// idsIn are ids for a table on a terminal, in a column so wide, beside others so wide: in full if that leaves room for a name, else cut to
// what a verb completes. Who is no person gets them in full.
func (p *program) idsIn(b *backend.Backend, ids []string, others int) (shown []string, wide int) {
	if shown, wide = column(ids); !p.terminal.narrow || wide == ulidWidth || wide+others+nameLeast <= p.terminal.width {
		return shown, wide
	}
	return column(b.ShortIDs(ids))
}

// column is texts harmless to a terminal, and how wide the widest is, or an id of ours.
func column(texts []string) (shown []string, wide int) {
	shown, wide = make([]string, len(texts)), ulidWidth
	for i, text := range texts {
		shown[i] = oneLine(text)
		wide = max(wide, utf8.RuneCountInString(shown[i]))
	}
	return shown, wide
}

// fit is what of a text fits behind the beginning of a line, on a terminal.
func (p *program) fit(text, line string) string {
	const least = 10
	if !p.terminal.narrow {
		return text
	}
	return cut(text, max(p.terminal.width-utf8.RuneCountInString(line), least))
}
