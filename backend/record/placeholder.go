package record

// What stands in a context in the place of a summary that nobody can read: the agent did not tell it, or only its provider can decrypt it. These
// are our words. Nobody said them, so they are neither searched nor measured.
const (
	SummaryEmpty     = "[summary not readable: empty]"
	SummaryEncrypted = "[summary not readable: encrypted]"
)

// Placeholder tells whether a block stands in the place of a summary that nobody can read.
func (b *Block) Placeholder() bool {
	return b.Kind == BlockText && (b.Text == SummaryEmpty || b.Text == SummaryEncrypted)
}
