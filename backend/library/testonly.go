package library

// TestOnlyShortTails has the tails of all sessions kept until a test ends, however short they are.
func TestOnlyShortTails(t interface{ Cleanup(f func()) }) {
	before := tailFrom
	t.Cleanup(func() { tailFrom = before })
	tailFrom = 0
}
