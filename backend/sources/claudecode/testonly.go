package claudecode

// TestLongIs has a list take files that are longer than this for too long to read their rows until a test ends, so that one need not write
// longer ones.
func TestLongIs(t interface{ Cleanup(f func()) }, bytes int64) {
	before := kinMost
	t.Cleanup(func() { kinMost = before })
	kinMost = bytes
}
