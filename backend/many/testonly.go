package many

// TestOnlyLittle has memory hold next to nothing until a test ends, so that one that reads a short file sees what would grow with a long one.
func TestOnlyLittle(t interface{ Cleanup(f func()) }) {
	parts, table, recent, bits := partsMost, tableMost, recentMost, sieveBits
	t.Cleanup(func() { partsMost, tableMost, recentMost, sieveBits = parts, table, recent, bits })
	partsMost, tableMost, recentMost, sieveBits = 2, 1<<8, 1<<6, 1<<14
}

// PartsMost is how many parts of a long list are in memory.
func PartsMost() int { return partsMost }
